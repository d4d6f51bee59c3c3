package io.skep.itests.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the command of a Skep process. It uses this JVM's class path and, where possible, Java's archive of loaded
 * classes. The first process of a kind that exits normally writes the archive, and later ones start with two thirds of
 * the work.
 */
public final class SkepCommand {
    private static final String WITHOUT_C2 = "-XX:TieredStopAtLevel=1";

    /** Flags of JVMs that end before C2 pays. Without them a test takes half as much processor time again. */
    public static final List<String> SHORT_LIVED = List.of(WITHOUT_C2, "-XX:+UseSerialGC");

    /** Flags of a JVM that keeps the compilers of production. */
    static final List<String> WITH_C2 = List.of("-XX:TieredStopAtLevel=4");

    private SkepCommand() {}

    /** @param flags the flags of its JVM */
    static List<String> of(List<String> flags, String main, List<String> arguments) throws IOException {
        return of(classPath(), flags, main, arguments);
    }

    /** @param classPath the files and folders of its class path */
    public static List<String> of(List<String> classPath, List<String> flags, String main, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of(System.getProperty("skep.home"), "bin", "jvm.flags"),
                // Without this option all classes of Hadoop and Parquet build debug messages that are never read.
                "-Dlog4j.configuration=file:" + Path.of(System.getProperty("skep.home"), "conf", "log4j.properties"),
                "-Duser.timezone=UTC"));
        // Servers and daemons keep the collector that they have in production.
        command.add(WITHOUT_C2);
        command.addAll(flags);
        // A class path that contains a folder cannot be archived. In a build of all modules, the modules are jars.
        if (classPath.stream().map(Path::of).noneMatch(Files::isDirectory)) {
            command.addAll(
                    List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive(main, classPath)));
        }
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main));
        command.addAll(arguments);
        return command;
    }

    /**
     * Returns the archive file. Deletes an outdated one, because Java neither uses nor replaces an archive that is
     * older than a jar.
     */
    private static Path archive(String main, List<String> classPath) throws IOException {
        Path archive = target().resolve(main + ".jsa");
        long written = archive.toFile().lastModified();
        if (classPath.stream().anyMatch(path -> Path.of(path).toFile().lastModified() > written)) {
            Files.deleteIfExists(archive);
        }
        return archive;
    }

    /** Returns the class path without test classes. */
    public static List<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !Path.of(path).startsWith(target()))
                .toList();
    }

    private static Path target() {
        return Path.of(System.getProperty("basedir"), "target");
    }
}
