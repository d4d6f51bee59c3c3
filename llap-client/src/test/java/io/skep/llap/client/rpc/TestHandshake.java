package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.client.wire.IdentityCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a client accepts from a daemon, and what it proves in turn. */
class TestHandshake {
    private static final DaemonEndpoint ENDPOINT = new DaemonEndpoint("host", 1);
    private static final DaemonIdentity DAEMON = new DaemonIdentity(3, "first", 4);
    private static final DaemonIdentity SELF = new DaemonIdentity(5, "mine", 4);
    private static final byte[] CHALLENGE = {1, 2, 3};
    private static final byte[] NO_PROOF = new byte[0];

    @TempDir
    Path folder;

    private final FakeChannel channel = new FakeChannel();
    private final List<Handshake.Outcome> outcomes = new ArrayList<>();
    private final List<SkepException> failures = new ArrayList<>();

    private SharedSecret secret(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return SharedSecret.read(file);
    }

    private FakeChannel.Call start(
            Optional<DaemonIdentity> expected, Optional<SharedSecret> secret, Optional<DaemonIdentity> self) {
        new Handshake(ENDPOINT, expected, secret, self, outcomes::add, failures::add)
                .start(channel, Duration.ofSeconds(5));
        return channel.calls.getLast();
    }

    private static void greet(FakeChannel.Call call, byte[] proof) {
        call.listener().onMessage(new Greeting(DAEMON, CHALLENGE, proof, 0).encode());
    }

    private SkepException failure() {
        assertThat(outcomes).isEmpty();
        assertThat(failures).hasSize(1);
        return failures.getFirst();
    }

    @Test
    void theFirstMessageIsAChallenge() {
        FakeChannel.Call call = start(Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(call.method).isEqualTo(DaemonRpc.GREET);
        assertThat(call.sent)
                .singleElement()
                .satisfies(challenge -> assertThat(challenge).hasSize(32));
        assertThat(call.halfClosed).isTrue();
    }

    @Test
    void withoutASecretNothingIsProved() {
        greet(start(Optional.of(DAEMON), Optional.empty(), Optional.empty()), NO_PROOF);
        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.getFirst().greeting().identity()).isEqualTo(DAEMON);
        assertThat(outcomes.getFirst().headers().keys()).isEmpty();
    }

    @Test
    void bothSidesProveTheSecret() throws IOException {
        SharedSecret secret = secret("a secret of the site");
        FakeChannel.Call call = start(Optional.empty(), Optional.of(secret), Optional.of(SELF));
        greet(call, secret.daemonProof(DAEMON, call.sent.getFirst()));
        Metadata headers = outcomes.getFirst().headers();
        byte[] self = IdentityCodec.encode(SELF);
        assertThat(headers.get(DaemonRpc.CLIENT)).isEqualTo(self);
        assertThat(headers.get(DaemonRpc.PROOF)).isEqualTo(secret.clientProof(DAEMON, self, CHALLENGE));
        assertThat(failures).isEmpty();
    }

    /** The proof of another connection is of no use: its challenge was another one. */
    @Test
    void aDaemonThatDoesNotProveTheSecretIsRefused() throws IOException {
        SharedSecret secret = secret("a secret of the site");
        greet(start(Optional.empty(), Optional.of(secret), Optional.empty()), secret.daemonProof(DAEMON, CHALLENGE));
        assertThat(failure().code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
    }

    @Test
    void aDaemonThatWasStartedAnewIsLost() {
        DaemonIdentity before = new DaemonIdentity(3, "before", 4);
        greet(start(Optional.of(before), Optional.empty(), Optional.empty()), NO_PROOF);
        assertThat(failure().code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
    }

    @Test
    void anAnswerThatIsNoGreetingIsReported() {
        byte[] version = Arrays.copyOf(new Greeting(DAEMON, CHALLENGE, NO_PROOF, 0).encode(), 1);
        start(Optional.empty(), Optional.empty(), Optional.empty()).listener().onMessage(version);
        assertThat(failure().code()).isEqualTo(StandardErrorCode.DAMAGED_MESSAGE);
    }

    @Test
    void aCallThatFailsIsReported() {
        FakeChannel.Call call = start(Optional.empty(), Optional.empty(), Optional.empty());
        call.listener().onClose(Status.UNAVAILABLE.withDescription("refused"), new Metadata());
        assertThat(failure().code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
    }

    @Test
    void aCallThatEndsAfterTheGreetingIsNoFailure() {
        FakeChannel.Call call = start(Optional.empty(), Optional.empty(), Optional.empty());
        greet(call, NO_PROOF);
        call.listener().onClose(Status.OK, new Metadata());
        assertThat(failures).isEmpty();
    }
}
