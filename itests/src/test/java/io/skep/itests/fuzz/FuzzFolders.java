package io.skep.itests.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of inputs, next to the tests. */
final class FuzzFolders {
    private static final Path ROOT = Path.of(System.getProperty("skep.home"), "itests/src/test/fuzz");

    private FuzzFolders() {}

    /** Returns the folder of inputs that are read without an error, from which the search starts. */
    static Path seeds(FuzzTarget target) {
        return ROOT.resolve("seeds").resolve(target.folder());
    }

    /** Returns the folder of inputs that once broke the target's contract. */
    static Path regressions(FuzzTarget target) {
        return ROOT.resolve("regressions").resolve(target.folder());
    }

    /** Returns the files in sorted order, or none if the folder does not exist. */
    static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
