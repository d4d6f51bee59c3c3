package io.skep.llap.client.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.client.wire.IdentityCodec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The first call of a connection. It identifies the daemon and proves that both sides know the secret. */
final class Handshake extends ClientCall.Listener<byte[]> {
    /**
     * The result of the handshake.
     *
     * @param headers for the next call, which prove this process to the daemon
     */
    record Outcome(Greeting greeting, Metadata headers) {}

    private final DaemonEndpoint endpoint;
    private final Optional<DaemonIdentity> expected;
    private final Optional<SharedSecret> secret;
    private final Optional<DaemonIdentity> self;
    private final Consumer<Outcome> onDone;
    private final Consumer<SkepException> onFailure;
    private final byte[] challenge = SharedSecret.challenge();

    /**
     * @param expected the incarnation of the daemon to connect to; empty to accept any
     * @param self the daemon that connects; empty if the process is not a daemon
     */
    Handshake(
            DaemonEndpoint endpoint,
            Optional<DaemonIdentity> expected,
            Optional<SharedSecret> secret,
            Optional<DaemonIdentity> self,
            Consumer<Outcome> onDone,
            Consumer<SkepException> onFailure) {
        this.endpoint = endpoint;
        this.expected = expected;
        this.secret = secret;
        this.self = self;
        this.onDone = onDone;
        this.onFailure = onFailure;
    }

    void start(Channel channel, Duration timeout) {
        ClientCall<byte[], byte[]> call = channel.newCall(
                DaemonRpc.GREET, CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS));
        call.start(this, new Metadata());
        call.request(1);
        call.sendMessage(challenge);
        call.halfClose();
    }

    @Override
    public void onMessage(byte[] message) {
        try {
            Greeting greeting = Greeting.decode(message);
            onDone.accept(new Outcome(greeting, answer(greeting)));
        } catch (RuntimeException | Error e) {
            onFailure.accept(CallFailures.unreadable(endpoint, e));
        }
    }

    private Metadata answer(Greeting greeting) {
        DaemonIdentity there = greeting.identity();
        if (expected.isPresent() && !expected.get().incarnation().equals(there.incarnation())) {
            throw CallFailures.lost(endpoint, "it has been started anew");
        }
        Metadata headers = new Metadata();
        byte[] client = self.map(IdentityCodec::encode).orElse(new byte[0]);
        if (self.isPresent()) {
            headers.put(DaemonRpc.CLIENT, client);
        }
        if (secret.isPresent()) {
            if (!SharedSecret.equal(secret.get().daemonProof(there, challenge), greeting.proof())) {
                throw new SkepException(
                        StandardErrorCode.ACCESS_DENIED,
                        "what listens at " + endpoint + " does not know the secret of this process's "
                                + RpcConfig.SECRET_FILE.name());
            }
            headers.put(DaemonRpc.PROOF, secret.get().clientProof(there, client, greeting.challenge()));
        }
        return headers;
    }

    @Override
    public void onClose(Status end, Metadata trailers) {
        if (!end.isOk()) {
            onFailure.accept(CallFailures.of(endpoint, end, trailers));
        }
    }
}
