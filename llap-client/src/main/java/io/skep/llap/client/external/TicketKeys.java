package io.skep.llap.client.external;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of a site's tickets. The first one signs, all of them verify. A file of keys has one secret a line; it is
 * read again when it has changed, so keys rotate without a restart. A sealed ticket is: magic, key id, initialization
 * vector, encrypted content, signature of all before. It has no lengths in it. Thread-safe.
 */
public final class TicketKeys {
    private static final Logger LOG = LoggerFactory.getLogger(TicketKeys.class);

    private static final byte[] MAGIC = "SKT1".getBytes(StandardCharsets.US_ASCII);
    private static final int CONTENT_AT = MAGIC.length + TicketKey.ID_BYTES + TicketKey.IV_BYTES;

    /** The bytes that sealing adds. */
    static final int OVERHEAD = CONTENT_AT + TicketKey.SIGNATURE_BYTES;

    private static final int MIN_SECRET_BYTES = 32;
    private static final int MAX_FILE_BYTES = 64 << 10;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Optional<Path> file;
    private final InstantSource clock;

    @GuardedBy("this")
    private String text;

    @GuardedBy("this")
    private List<TicketKey> keys;

    @GuardedBy("this")
    private Instant looked;

    private TicketKeys(Optional<Path> file, InstantSource clock, String text, List<TicketKey> keys) {
        this.file = file;
        this.clock = clock;
        this.text = text;
        this.keys = List.copyOf(keys);
        this.looked = clock.instant();
    }

    /** Creates a key that only this process knows. Its tickets end with the process. */
    public static TicketKeys ofProcess() {
        byte[] secret = new byte[MIN_SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return new TicketKeys(Optional.empty(), InstantSource.system(), "", List.of(new TicketKey(secret)));
    }

    /** @throws SkepException INVALID_CONFIGURATION when the file cannot be used */
    public static TicketKeys ofFile(Path file) {
        return ofFile(file, InstantSource.system());
    }

    /** @param clock decides when the file is looked at again */
    static TicketKeys ofFile(Path file, InstantSource clock) {
        String text = read(file);
        return new TicketKeys(Optional.of(file), clock, text, parse(file, text));
    }

    private static String read(Path file) {
        try {
            if (!PrivateFiles.isPrivate(file)) {
                throw refused(file, "is open to other users of this machine")
                        .withHint("close it with: chmod 600 " + file);
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
                if (bytes.length > MAX_FILE_BYTES) {
                    throw refused(file, "has more than " + MAX_FILE_BYTES + " bytes");
                }
                return new String(bytes, StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw refused(file, "cannot be read: " + e);
        }
    }

    private static List<TicketKey> parse(Path file, String text) {
        List<byte[]> secrets = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
        if (secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret.length < MIN_SECRET_BYTES)) {
            throw refused(file, "needs one secret a line, of " + MIN_SECRET_BYTES + " characters or more")
                    .withHint("make one with: openssl rand -hex 32");
        }
        return secrets.stream().map(TicketKey::new).toList();
    }

    private static SkepException refused(Path file, String why) {
        return new SkepException(
                StandardErrorCode.INVALID_CONFIGURATION, ExternalConfig.KEY_FILE.name() + ": " + file + " " + why);
    }

    /** Returns the keys, from a file that has changed if it has. A file that cannot be used leaves them as they are. */
    private synchronized List<TicketKey> current() {
        Instant now = clock.instant();
        if (file.isPresent() && !now.isBefore(looked.plus(LOOK))) {
            looked = now;
            try {
                String found = read(file.get());
                if (!found.equals(text)) {
                    keys = parse(file.get(), found);
                    text = found;
                    LOG.info("The keys of tickets have changed: there are {}", keys.size());
                }
            } catch (SkepException e) {
                LOG.error("The keys of tickets stay as they are: {}", e.fullMessage());
            }
        }
        return keys;
    }

    /** Encrypts and signs a content. */
    byte[] seal(byte[] content) {
        TicketKey key = current().getFirst();
        byte[] iv = TicketKey.newIv();
        byte[] sealed = Arrays.copyOf(MAGIC, OVERHEAD + content.length);
        System.arraycopy(key.id(), 0, sealed, MAGIC.length, TicketKey.ID_BYTES);
        System.arraycopy(iv, 0, sealed, MAGIC.length + TicketKey.ID_BYTES, TicketKey.IV_BYTES);
        System.arraycopy(key.encrypt(iv, content), 0, sealed, CONTENT_AT, content.length);
        int signed = sealed.length - TicketKey.SIGNATURE_BYTES;
        System.arraycopy(key.sign(sealed, signed), 0, sealed, signed, TicketKey.SIGNATURE_BYTES);
        return sealed;
    }

    /** Returns the content of a ticket that one of the keys has signed; empty for everything else. */
    Optional<byte[]> open(byte[] sealed) {
        if (sealed.length < OVERHEAD || !Arrays.equals(MAGIC, Arrays.copyOf(sealed, MAGIC.length))) {
            return Optional.empty();
        }
        byte[] name = Arrays.copyOfRange(sealed, MAGIC.length, MAGIC.length + TicketKey.ID_BYTES);
        int signed = sealed.length - TicketKey.SIGNATURE_BYTES;
        byte[] signature = Arrays.copyOfRange(sealed, signed, sealed.length);
        byte[] iv = Arrays.copyOfRange(sealed, MAGIC.length + TicketKey.ID_BYTES, CONTENT_AT);
        for (TicketKey key : current()) {
            if (key.isNamed(name) && MessageDigest.isEqual(signature, key.sign(sealed, signed))) {
                return Optional.of(key.decrypt(iv, sealed, CONTENT_AT, signed - CONTENT_AT));
            }
        }
        return Optional.empty();
    }
}
