package io.skep.itests.client;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds a Java for programs that do not run on the tests' own: {@code -Dskep.java17=JAVA}, or one of this machine. */
public final class OlderJava {
    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    private OlderJava() {}

    /** Returns a {@code java} of version 17 or 21. */
    public static Optional<Path> find() {
        String given = System.getProperty("skep.java17", "");
        if (!given.isEmpty()) {
            return Optional.of(Path.of(given));
        }
        try (Stream<Path> installed =
                Files.isDirectory(INSTALLED) ? Files.list(INSTALLED).sorted() : Stream.empty()) {
            Stream<Path> onPath = Stream.of(
                            System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                    .map(folder -> Path.of(folder, "java"));
            return Stream.concat(onPath, installed.map(home -> home.resolve("bin/java")))
                    .filter(Files::isExecutable)
                    .filter(OlderJava::fits)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean fits(Path java) {
        try {
            Path release = java.toRealPath().resolve("../../release").normalize();
            Matcher version = VERSION.matcher(Files.exists(release) ? Files.readString(release) : "");
            return version.find()
                    && (version.group(1).equals("17") || version.group(1).equals("21"));
        } catch (IOException e) {
            return false;
        }
    }
}
