package io.skep.llap.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Looks into the folder of spill files. */
final class SpillFolder {
    private SpillFolder() {}

    /** Files below the folder; those that vanish while it is walked do not count. */
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
