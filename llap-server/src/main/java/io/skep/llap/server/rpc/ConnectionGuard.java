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
 * Decides which connections are trusted, and knows who made them. Without a secret, all are trusted. With a secret, a
 * connection is trusted from the call that answers the challenge of the greeting. That call also names the connecting
 * daemon, if the peer is a daemon.
 */
final class ConnectionGuard {
    private static final Attributes.Key<Connection> CONNECTION = Attributes.Key.create("connection");

    private final DaemonIdentity identity;
    private final Optional<SharedSecret> secret;

    ConnectionGuard(DaemonIdentity identity, Optional<SharedSecret> secret) {
        this.identity = identity;
        this.secret = secret;
    }

    /** Returns a filter that attaches the state to each connection. */
    static ServerTransportFilter filter() {
        return new ServerTransportFilter() {
            @Override
            public Attributes transportReady(Attributes attributes) {
                return attributes.toBuilder().set(CONNECTION, new Connection()).build();
            }
        };
    }

    /** Creates the challenge that the peer of the call's connection must answer. */
    byte[] challenge(ServerCall<?, ?> call) {
        byte[] challenge = SharedSecret.challenge();
        connection(call).challenge(challenge);
        return challenge;
    }

    /** The daemon's own answer. Empty without a secret. */
    byte[] answer(byte[] challenge) {
        return secret.map(known -> known.daemonProof(identity, challenge)).orElse(new byte[0]);
    }

    /** Whether the call's headers answer the challenge. If so, the connection becomes trusted. */
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
            connection(call)
                    .markTrusted(client.length == 0 ? Optional.empty() : Optional.of(IdentityCodec.decode(client)));
            return true;
        } catch (SkepException e) {
            return false;
        }
    }

    /** Whether the call uses a trusted connection. */
    boolean believes(ServerCall<?, ?> call) {
        return connection(call).isBelieved();
    }

    static Connection connection(ServerCall<?, ?> call) {
        return Objects.requireNonNull(call.getAttributes().get(CONNECTION), "a connection without its state");
    }
}
