package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.llap.client.DaemonIdentity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the servers and daemons of a site share. Each side of a connection proves that it knows the secret by
 * signing a challenge that the other side has generated for this connection (HMAC-SHA-256). The signature covers the
 * daemon's incarnation, and the client's own identity if it is a daemon too. So what is overheard on one connection is
 * of no use on another. Thread-safe.
 */
public final class SharedSecret {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int CHALLENGE_BYTES = 32;

    /** Shorter secrets can be guessed. */
    private static final int MIN_BYTES = 16;

    private static final int MAX_FILE_BYTES = 64 << 10;

    private final SecretKeySpec key;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SharedSecret(byte[] secret) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * Reads a secret. Surrounding white space is ignored.
     *
     * @throws SkepException INVALID_CONFIGURATION when it cannot be read, is too short or is accessible to other users
     */
    public static SharedSecret read(Path file) {
        String text = PrivateFiles.readSecrets(RpcConfig.SECRET_FILE.name(), file, MAX_FILE_BYTES)
                .strip();
        byte[] secret = text.getBytes(StandardCharsets.UTF_8);
        if (secret.length < MIN_BYTES) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            RpcConfig.SECRET_FILE.name() + ": " + file + " has a secret of " + secret.length
                                    + " bytes; " + MIN_BYTES + " are the least")
                    .withHint("make one with: openssl rand -hex 32");
        }
        return new SharedSecret(secret);
    }

    /** Generates a random challenge, which no peer has signed before. */
    public static byte[] challenge() {
        byte[] challenge = new byte[CHALLENGE_BYTES];
        RANDOM.nextBytes(challenge);
        return challenge;
    }

    /**
     * Returns a client's answer to a daemon's challenge.
     *
     * @param client the identity that it claims; empty when it is not a daemon
     */
    public byte[] clientProof(DaemonIdentity daemon, byte[] client, byte[] challenge) {
        return sign("client", daemon, client, challenge);
    }

    /** Returns a daemon's answer to a client's challenge. */
    public byte[] daemonProof(DaemonIdentity daemon, byte[] challenge) {
        return sign("daemon", daemon, new byte[0], challenge);
    }

    private byte[] sign(String side, DaemonIdentity daemon, byte[] client, byte[] challenge) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(side.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            mac.update(daemon.incarnation().getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(client.length).flip());
            mac.update(client);
            return mac.doFinal(challenge);
        } catch (GeneralSecurityException e) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "this Java has no " + ALGORITHM, e);
        }
    }

    /** Whether two proofs are equal, in a time that does not reveal where they differ. */
    public static boolean equal(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }
}
