/**
 * Daemons of other processes over gRPC: one connection from a process to a daemon, on it one control stream and a stream for each
 * output that is read. Everything that names gRPC on the asking side is here.
 */
@NullMarked
package io.skep.llap.client.rpc;

import org.jspecify.annotations.NullMarked;
