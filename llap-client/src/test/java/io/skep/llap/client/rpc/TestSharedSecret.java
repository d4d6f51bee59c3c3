package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests proofs of a secret, and which files are accepted as one. */
class TestSharedSecret {
    private static final String TEXT = "0123456789abcdef0123456789abcdef";
    private static final DaemonIdentity DAEMON = new DaemonIdentity(1, "first", 4);
    private static final DaemonIdentity RESTARTED = new DaemonIdentity(1, "second", 4);
    private static final byte[] NOBODY = new byte[0];
    private static final byte[] CHALLENGE = new byte[32];

    @TempDir
    Path folder;

    private Path file(String name, String text, String permissions) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    private SharedSecret secret(String text) throws IOException {
        return SharedSecret.read(file("secret" + text.length(), text, "rw-------"));
    }

    private static StandardErrorCode refused(Path file) {
        return catchThrowableOfType(SkepException.class, () -> SharedSecret.read(file))
                .code();
    }

    @Test
    void bothSidesComputeTheSameProof() throws IOException {
        SharedSecret one = secret(TEXT);
        SharedSecret other = secret(TEXT + "\n");
        assertThat(one.clientProof(DAEMON, NOBODY, CHALLENGE)).isEqualTo(other.clientProof(DAEMON, NOBODY, CHALLENGE));
        assertThat(one.daemonProof(DAEMON, CHALLENGE)).isEqualTo(other.daemonProof(DAEMON, CHALLENGE));
    }

    /** The bytes that are signed are part of the protocol. */
    @Test
    void aProofIsAnHmacOfTheSideTheIncarnationTheClientAndTheChallenge() throws Exception {
        byte[] client = {9, 8, 7};
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(TEXT.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update("client\0first\0".getBytes(StandardCharsets.UTF_8));
        mac.update(new byte[] {0, 0, 0, 3});
        mac.update(client);
        assertThat(secret(TEXT).clientProof(DAEMON, client, CHALLENGE)).isEqualTo(mac.doFinal(CHALLENGE));
    }

    @Test
    void aProofHoldsForNothingElse() throws IOException {
        SharedSecret secret = secret(TEXT);
        byte[] other = new byte[32];
        other[31] = 1;
        Set<String> proofs = new HashSet<>();
        proofs.add(HexFormat.of().formatHex(secret.clientProof(DAEMON, NOBODY, CHALLENGE)));
        proofs.add(HexFormat.of().formatHex(secret.clientProof(DAEMON, NOBODY, other)));
        proofs.add(HexFormat.of().formatHex(secret.clientProof(RESTARTED, NOBODY, CHALLENGE)));
        proofs.add(HexFormat.of().formatHex(secret.clientProof(DAEMON, new byte[] {0}, CHALLENGE)));
        proofs.add(HexFormat.of().formatHex(secret.daemonProof(DAEMON, CHALLENGE)));
        proofs.add(HexFormat.of().formatHex(secret(TEXT + "x").clientProof(DAEMON, NOBODY, CHALLENGE)));
        assertThat(proofs).hasSize(6);
    }

    @Test
    void challengesDiffer() {
        assertThat(SharedSecret.challenge()).hasSize(32).isNotEqualTo(SharedSecret.challenge());
    }

    @Test
    void proofsAreCompared() {
        assertThat(SharedSecret.equal(new byte[] {1, 2}, new byte[] {1, 2})).isTrue();
        assertThat(SharedSecret.equal(new byte[] {1, 2}, new byte[] {1, 3})).isFalse();
        assertThat(SharedSecret.equal(new byte[] {1, 2}, new byte[] {1})).isFalse();
    }

    @Test
    void filesThatHoldNoSecretAreRefused() throws IOException {
        assertThat(refused(folder.resolve("missing"))).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
        assertThat(refused(file("short", "  fifteen bytes!!  ", "rw-------")))
                .isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
        assertThat(refused(file("open", TEXT, "rw-r--r--"))).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
        assertThat(SharedSecret.read(file("least", "sixteen bytes!!!", "rw-------")))
                .isNotNull();
    }
}
