package io.skep.service.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The request that {@code bin/skep drain} sends to a server, as a file in its data folder. Any user with write access
 * to the folder may send it. The file contains the maximum number of seconds for open sessions, or nothing.
 *
 * @param within the time limit for open sessions
 */
record DrainRequest(Optional<Duration> within) {
    static final String COMMAND = "bin/skep drain";
    private static final String FILE = "drain.request";

    /**
     * Returns the pending request and deletes it, so that it is returned only once.
     *
     * @throws SkepException INVALID_CONFIGURATION when it cannot be parsed, FILE_SYSTEM_ERROR
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

    /** Deletes a request to an earlier server. */
    static void clear(Path data) {
        try {
            Files.deleteIfExists(data.resolve(FILE));
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot delete an old request to drain: " + e, e);
        }
    }
}
