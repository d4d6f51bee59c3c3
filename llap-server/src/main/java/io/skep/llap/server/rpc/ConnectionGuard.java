package io.skep.llap.server.rpc;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerTransportFilter;
import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.client.wire.IdentityCodec;
import java.util.Objects;
import java.util.Optional;

/**
 * Which connections are believed, and who made them. Without a secret all are; with one, a connection is believed from the call on
 * that answers the challenge that the connection was greeted with, and names the daemon that it comes from if it is one.
 */
final class ConnectionGuard {
    private static final Attributes.Key<Connection> CONNECTION = Attributes.Key.create("connection");

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
                return attributes.toBuilder().set(CONNECTION, new Connection()).build();
            }
        };
    }

    /** What the other side of the call's connection has to answer. */
    byte[] challenge(ServerCall<?, ?> call) {
        byte[] challenge = SharedSecret.challenge();
        connection(call).challenge(challenge);
        return challenge;
    }

    /** The daemon's own answer; empty without a secret. */
    byte[] answer(byte[] challenge) {
        return secret.map(known -> known.daemonProof(identity, challenge)).orElse(new byte[0]);
    }

    /** Whether the call's headers answer the challenge; the connection is then believed. */
    boolean believes(ServerCall<?, ?> call, Metadata headers) {
        byte[] named = headers.get(DaemonRpc.CLIENT);
        byte[] client = named == null ? new byte[0] : named;
        byte[] challenge = connection(call).takeChallenge();
        byte[] proof = headers.get(DaemonRpc.PROOF);
        if (secret.isPresent()
                && (challenge == null
                        || proof == null
                        || !SharedSecret.equal(proof, secret.get().clientProof(identity, client, challenge)))) {
            return false;
        }
        try {
            connection(call).believe(client.length == 0 ? Optional.empty() : Optional.of(IdentityCodec.decode(client)));
            return true;
        } catch (SkepException e) {
            return false;
        }
    }

    /** Whether the call comes over a connection that is believed. */
    boolean believes(ServerCall<?, ?> call) {
        return connection(call).isBelieved();
    }

    static Connection connection(ServerCall<?, ?> call) {
        return Objects.requireNonNull(call.getAttributes().get(CONNECTION), "a connection without its state");
    }
}
