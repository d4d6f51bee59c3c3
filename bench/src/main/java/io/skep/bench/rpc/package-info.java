/** Fragments over our RPC and over Thrift with a thread for each connection, side by side: {@code bin/bench rpc}. */
@NullMarked
package io.skep.bench.rpc;

import org.jspecify.annotations.NullMarked;
