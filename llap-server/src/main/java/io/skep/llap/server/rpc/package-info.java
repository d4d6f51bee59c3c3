/** The daemon as other processes reach it, over gRPC. Everything that names gRPC on the answering side is here. */
@NullMarked
package io.skep.llap.server.rpc;

import org.jspecify.annotations.NullMarked;
