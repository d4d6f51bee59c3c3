/**
 * Daemons of other processes over gRPC. There is one connection between two processes. It carries one control stream
 * and one stream for all outputs that are read; between two daemons there is one such stream in each direction. All
 * code of the connecting side that uses gRPC is here.
 */
@NullMarked
package io.skep.llap.client.rpc;

import org.jspecify.annotations.NullMarked;
