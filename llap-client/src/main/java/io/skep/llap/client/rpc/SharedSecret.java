package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.llap.client.DaemonIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What servers and daemons of a site know and nobody else. Each side of a connection proves that it knows it by signing what
 * the other has made up for this connection (HMAC-SHA-256), together with the daemon's life, and its own if it is a daemon too: what
 * was heard on one connection is of no use on another. Thread-safe.
 */
public final class SharedSecret {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int CHALLENGE_BYTES = 32;

    /** Shorter ones can be guessed. */
    private static final int MIN_BYTES = 16;

    private final SecretKeySpec key;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SharedSecret(byte[] secret) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * Reads a secret; space around it is left out.
     *
     * @throws SkepException INVALID_CONFIGURATION when it cannot be read, is short or is open to other users
     */
    public static SharedSecret read(Path file) {
        String text;
        try {
            if (!PrivateFiles.isPrivate(file)) {
                throw new SkepException(
                                StandardErrorCode.INVALID_CONFIGURATION,
                                RpcConfig.SECRET_FILE.name() + ": " + file + " is open to other users of this machine")
                        .withHint("close it with: chmod 600 " + file);
            }
            text = Files.readString(file, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    RpcConfig.SECRET_FILE.name() + ": " + file + " cannot be read: " + e,
                    e);
        }
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

    /** Something that nobody has signed before. */
    public static byte[] challenge() {
        byte[] challenge = new byte[CHALLENGE_BYTES];
        RANDOM.nextBytes(challenge);
        return challenge;
    }

    /**
     * What a client answers to a daemon's challenge.
     *
     * @param client who it says it is; empty when it is no daemon
     */
    public byte[] clientProof(DaemonIdentity daemon, byte[] client, byte[] challenge) {
        return sign("client", daemon, client, challenge);
    }

    /** What a daemon answers to a client's challenge. */
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

    /** Whether two proofs are the same, in a time that does not tell where they differ. */
    public static boolean equal(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }
}
