package io.skep.llap.client.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
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

    /** Held by the thread that looks at the file. The others use the keys that are known. */
    private final ReentrantLock looking = new ReentrantLock();

    private volatile Instant looked;

    /** Null until the key of this process is needed. */
    private volatile @Nullable Known known;

    /** The text of a file, and its keys. */
    private record Known(String text, List<TicketKey> keys) {
        Known {
            keys = List.copyOf(keys);
        }
    }

    private TicketKeys(Optional<Path> file, InstantSource clock, @Nullable Known known) {
        this.file = file;
        this.clock = clock;
        this.known = known;
        this.looked = clock.instant();
    }

    /** Creates a key that only this process knows. Its tickets end with the process. */
    public static TicketKeys ofProcess() {
        return new TicketKeys(Optional.empty(), InstantSource.system(), null);
    }

    /** @throws SkepException INVALID_CONFIGURATION when the file cannot be used */
    public static TicketKeys ofFile(Path file) {
        return ofFile(file, InstantSource.system());
    }

    /** @param clock decides when the file is looked at again */
    static TicketKeys ofFile(Path file, InstantSource clock) {
        return new TicketKeys(Optional.of(file), clock, parse(file, read(file)));
    }

    private static String read(Path file) {
        return PrivateFiles.readSecrets(ExternalConfig.KEY_FILE.name(), file, MAX_FILE_BYTES);
    }

    private static Known parse(Path file, String text) {
        List<byte[]> secrets = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
        if (secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret.length < MIN_SECRET_BYTES)) {
            throw refused(file, "needs one secret a line, of " + MIN_SECRET_BYTES + " characters or more")
                    .withHint("make one with: openssl rand -hex 32");
        }
        return new Known(text, secrets.stream().map(TicketKey::new).toList());
    }

    private static SkepException refused(Path file, String why) {
        return new SkepException(
                StandardErrorCode.INVALID_CONFIGURATION, ExternalConfig.KEY_FILE.name() + ": " + file + " " + why);
    }

    /** Returns the keys, from a file that has changed if it has. A file that cannot be used leaves them as they are. */
    private List<TicketKey> current() {
        Known now = known;
        if (now == null) {
            return ofThisProcess().keys();
        }
        if (file.isPresent() && isDue() && looking.tryLock()) {
            try {
                now = isDue() ? look(file.get(), now) : now;
            } finally {
                looking.unlock();
            }
        }
        return now.keys();
    }

    private boolean isDue() {
        return !clock.instant().isBefore(looked.plus(LOOK));
    }

    private Known look(Path path, Known now) {
        looked = clock.instant();
        try {
            String found = read(path);
            if (found.equals(now.text())) {
                return now;
            }
            Known changed = parse(path, found);
            known = changed;
            LOG.info(
                    "The keys of tickets have changed: there are {}",
                    changed.keys().size());
            return changed;
        } catch (SkepException e) {
            LOG.error("The keys of tickets stay as they are: {}", e.fullMessage());
            return now;
        }
    }

    private synchronized Known ofThisProcess() {
        Known made = known;
        if (made == null) {
            byte[] secret = new byte[MIN_SECRET_BYTES];
            new SecureRandom().nextBytes(secret);
            made = new Known("", List.of(new TicketKey(secret)));
            known = made;
        }
        return made;
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
