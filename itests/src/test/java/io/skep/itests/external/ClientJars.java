package io.skep.itests.external;

import io.skep.itests.client.ReleasedJars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/** Locates the jars for programs outside of the server, where the build puts them. */
final class ClientJars {
    private ClientJars() {}

    /**
     * @param modules the folders of the modules whose classes are in the jar
     * @throws IOException when the jar is missing or older than its sources
     */
    static Path find(String name, List<String> modules) throws IOException {
        Path home = ReleasedJars.home();
        Path jar = home.resolve("dist/clients").resolve(name);
        FileTime newest = FileTime.fromMillis(0);
        for (String module : modules) {
            FileTime changed =
                    newestFile(home.resolve("clients").resolve(module).resolve("src/main"));
            newest = changed.compareTo(newest) > 0 ? changed : newest;
        }
        if (!Files.exists(jar) || newest.compareTo(Files.getLastModifiedTime(jar)) > 0) {
            throw new IOException(jar + " is missing or older than its sources; bin/test -m itests makes it");
        }
        return jar;
    }

    private static FileTime newestFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(ClientJars::modified)
                    .max(FileTime::compareTo)
                    .orElseThrow(() -> new IOException("there are no sources in " + folder));
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
