package io.skep.llap.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Operations on the folder of spill files as a whole. */
final class SpillFolder {
    private SpillFolder() {}

    /** Deletes the files that an earlier process has left, for example one that was killed. */
    static void clear(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> deepestFirst = paths.filter(path -> !path.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .toList();
            for (Path path : deepestFirst) {
                Files.delete(path);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot empty the spill folder " + folder + ": " + e, e);
        }
    }

    /** Returns the number of files below the folder. Files that vanish during the walk do not count. */
    static long fileCount(Path folder) {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).count();
        } catch (IOException | UncheckedIOException vanished) {
            return Files.isDirectory(folder) ? fileCount(folder) : 0;
        }
    }
}
