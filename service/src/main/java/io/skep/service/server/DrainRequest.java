package io.skep.service.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How {@code bin/skep drain} speaks to a server: a file in its data folder, so that whoever may write there may ask.
 * Its content is the most seconds that open sessions get, or nothing.
 *
 * @param within the most time that open sessions get
 */
record DrainRequest(Optional<Duration> within) {
    static final String COMMAND = "bin/skep drain";
    private static final String FILE = "drain.request";

    /**
     * The request that is there, which is deleted; it is not asked twice.
     *
     * @throws SkepException INVALID_CONFIGURATION when it cannot be understood, FILE_SYSTEM_ERROR
     */
    static Optional<DrainRequest> take(Path data) {
        Path file = data.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            String content = Files.readString(file).strip();
            Files.delete(file);
            return Optional.of(parse(content));
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot take the request " + file, e);
        }
    }

    private static DrainRequest parse(String content) {
        if (content.isEmpty()) {
            return new DrainRequest(Optional.empty());
        }
        try {
            return new DrainRequest(Optional.of(Duration.ofSeconds(Long.parseUnsignedLong(content))));
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "'" + content + "' is no number of seconds", e);
        }
    }

    /** Forgets what an earlier server was asked. */
    static void clear(Path data) {
        try {
            Files.deleteIfExists(data.resolve(FILE));
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot delete an old request to drain: " + e, e);
        }
    }
}
