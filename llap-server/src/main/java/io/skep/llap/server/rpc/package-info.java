/** The daemon's gRPC service for other processes. All code that uses gRPC on the answering side is here. */
@NullMarked
package io.skep.llap.server.rpc;

import org.jspecify.annotations.NullMarked;
