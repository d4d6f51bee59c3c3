/**
 * Implements {@code bin/bench rpc}, which compares fragments over Skep's RPC and over Thrift with a thread for each
 * connection.
 */
@NullMarked
package io.skep.bench.rpc;

import org.jspecify.annotations.NullMarked;
