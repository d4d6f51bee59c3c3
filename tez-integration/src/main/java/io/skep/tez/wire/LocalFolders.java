package io.skep.tez.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes local folders of sessions and queries. */
public final class LocalFolders {
    private static final Logger LOG = LoggerFactory.getLogger(LocalFolders.class);

    private LocalFolders() {}

    /**
     * Deletes a folder with everything in it. Another process may delete it at the same time.
     *
     * @throws SkepException when a file cannot be deleted
     */
    public static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException | IOException e) {
            if (!(e instanceof NoSuchFileException || e.getCause() instanceof NoSuchFileException)) {
                throw new SkepException(StandardErrorCode.TEZ_ERROR, folder + " cannot be deleted: " + e, e);
            }
            LOG.debug("{} was deleted by another process", folder, e);
        }
    }
}
