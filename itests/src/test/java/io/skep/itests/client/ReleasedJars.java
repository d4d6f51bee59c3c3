package io.skep.itests.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Locates the jars of the released Beeline and Hive JDBC driver, where the build put them. */
public final class ReleasedJars {
    private ReleasedJars() {}

    /** Returns the root of the checkout, which the build passes to tests. */
    public static Path home() {
        return Path.of(Objects.requireNonNull(System.getProperty("skep.home"), "skep.home is not set"));
    }

    /** Lists the jars in a fixed order. */
    public static List<Path> list() throws IOException {
        Path folder = home().resolve("dist/beeline-lib");
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is missing; build itests/released-clients first");
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }
}
