package io.skep.llap.server.rpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes raw gRPC calls to a daemon, for tests that send what no honest peer sends. */
record RawCalls(DaemonSite site, Served daemon, SharedSecret secret) {
    /** Opens a separate connection, which is closed with the site. */
    ManagedChannel channel() {
        ManagedChannel channel = Grpc.newChannelBuilder(
                        "127.0.0.1:" + daemon.server().port(), InsecureChannelCredentials.create())
                .build();
        site.own(channel::shutdownNow);
        return channel;
    }

    /** Collects the answer to a call. */
    static final class Answer extends ClientCall.Listener<byte[]> {
        /** The first message. */
        final CompletableFuture<byte[]> message = new CompletableFuture<>();

        final Queue<byte[]> messages = new ConcurrentLinkedQueue<>();
        final CompletableFuture<Status> end = new CompletableFuture<>();

        @Override
        public void onMessage(byte[] received) {
            message.complete(received);
            messages.add(received);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            end.complete(status);
        }
    }

    /** @param message the only message; empty leaves the call open */
    static Answer call(ClientCall<byte[], byte[]> call, Metadata headers, Optional<byte[]> message) {
        Answer answer = new Answer();
        call.start(answer, headers);
        call.request(1);
        message.ifPresent(bytes -> {
            call.sendMessage(bytes);
            call.halfClose();
        });
        return answer;
    }

    static Answer greet(ManagedChannel channel, Optional<byte[]> challenge) {
        return call(channel.newCall(DaemonRpc.GREET, CallOptions.DEFAULT), new Metadata(), challenge);
    }

    /**
     * Creates a proof for the daemon that its caller knows the secret. The proof is valid on one connection and once.
     */
    Metadata proof(ManagedChannel channel) {
        byte[] challenge = Greeting.decode(greet(channel, Optional.of(SharedSecret.challenge()))
                        .message
                        .join())
                .challenge();
        Metadata headers = new Metadata();
        headers.put(DaemonRpc.PROOF, secret.clientProof(daemon.daemon().identity(), new byte[0], challenge));
        return headers;
    }
}
