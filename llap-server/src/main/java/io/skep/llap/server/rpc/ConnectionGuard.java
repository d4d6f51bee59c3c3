package io.skep.llap.server.rpc;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerTransportFilter;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.rpc.SharedSecret;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Which connections are believed. Without a secret all are; with one, a connection is believed from the call on that answers the
 * challenge that the connection was greeted with.
 */
final class ConnectionGuard {
    /** What is known of a connection. */
    private static final class Trust {
        final AtomicReference<byte @Nullable []> challenge = new AtomicReference<>();
        volatile boolean believed;
    }

    private static final Attributes.Key<Trust> TRUST = Attributes.Key.create("trust");

    private final DaemonIdentity identity;
    private final Optional<SharedSecret> secret;

    ConnectionGuard(DaemonIdentity identity, Optional<SharedSecret> secret) {
        this.identity = identity;
        this.secret = secret;
    }

    /** Gives each connection its state. */
    static ServerTransportFilter filter() {
        return new ServerTransportFilter() {
            @Override
            public Attributes transportReady(Attributes attributes) {
                return attributes.toBuilder().set(TRUST, new Trust()).build();
            }
        };
    }

    /** What the other side of the call's connection has to answer. */
    byte[] challenge(ServerCall<?, ?> call) {
        byte[] challenge = SharedSecret.challenge();
        trust(call).challenge.set(challenge);
        return challenge;
    }

    /** The daemon's own answer; empty without a secret. */
    byte[] answer(byte[] challenge) {
        return secret.map(known -> known.daemonProof(identity, challenge)).orElse(new byte[0]);
    }

    /** Whether the call's headers answer the challenge, each of which can be answered once; the connection is then believed. */
    boolean believes(ServerCall<?, ?> call, Metadata headers) {
        if (secret.isEmpty()) {
            return true;
        }
        byte[] proof = headers.get(DaemonRpc.PROOF);
        byte[] challenge = trust(call).challenge.getAndSet(null);
        if (proof == null || challenge == null) {
            return false;
        }
        boolean right = SharedSecret.equal(proof, secret.get().clientProof(identity, challenge));
        if (right) {
            trust(call).believed = true;
        }
        return right;
    }

    /** Whether the call comes over a connection that is believed. */
    boolean believes(ServerCall<?, ?> call) {
        return secret.isEmpty() || trust(call).believed;
    }

    private static Trust trust(ServerCall<?, ?> call) {
        return Objects.requireNonNull(call.getAttributes().get(TRUST), "a connection without its state");
    }
}
