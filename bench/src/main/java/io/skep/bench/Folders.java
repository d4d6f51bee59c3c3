package io.skep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Finds and deletes scratch folders. */
final class Folders {
    private Folders() {}

    /**
     * Returns a folder for files of a server with the given data folder. Statements may not access the data folder
     * itself.
     */
    static Path beside(Path data, String name) {
        return data.resolveSibling(data.getFileName() + "-" + name);
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(folder)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
