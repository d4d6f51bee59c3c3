/**
 * Daemons of other processes over gRPC: one connection for a pair of processes, on it one control stream and one stream of all
 * outputs that are read, between two daemons one in each direction. Everything that names gRPC on the side that connects is here.
 */
@NullMarked
package io.skep.llap.client.rpc;

import org.jspecify.annotations.NullMarked;
