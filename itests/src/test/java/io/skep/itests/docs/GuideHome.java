package io.skep.itests.docs;

import io.skep.itests.client.ReleasedJars;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.SkepCommand;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * A folder in which the guide's commands run: it looks like a checkout that has been built, with the classes of this
 * test run. Ports and folders of the guide are replaced by free ones. Servers run no warm-up queries.
 */
final class GuideHome {
    private static final String PORT = "10000";
    private static final String UI_PORT = "10002";
    private static final String DATA = "/data/";

    private static final String JAVA_OPTIONS =
            "-Xmx1g -Duser.timezone=UTC " + String.join(" ", SkepCommand.SHORT_LIVED);

    private final Path folder;
    private final Path files;
    private final Path site;
    private final String port = freePort();
    private final String uiPort = freePort();

    private GuideHome(Path folder, Path files, Path site) {
        this.folder = folder;
        this.files = files;
        this.site = site;
    }

    /** Makes the folder, and a folder for files, in an empty one. */
    static GuideHome make(Path parent) throws IOException {
        Path checkout = ReleasedJars.home();
        GuideHome home = new GuideHome(
                Files.createDirectory(parent.resolve("skep")),
                Files.createDirectory(parent.resolve("files")),
                parent.resolve("site"));
        ServerProcess.writeSite(home.site, Map.of("skep.server.warmup-queries", "0"));
        for (String name : new String[] {"bin/skep", "bin/lib.sh", "bin/jvm.flags"}) {
            Path copy = home.folder.resolve(name);
            Files.createDirectories(copy.getParent());
            Files.copy(checkout.resolve(name), copy);
        }
        Files.createSymbolicLink(home.folder.resolve("conf"), checkout.resolve("conf"));
        Files.createSymbolicLink(home.folder.resolve("demo"), checkout.resolve("demo"));
        Path lib = Files.createDirectories(home.folder.resolve("dist/lib"));
        writeClassPath(lib.resolve("skep-classes.jar"));
        Files.createSymbolicLink(home.folder.resolve("dist/beeline-lib"), checkout.resolve("dist/beeline-lib"));
        Files.createFile(home.folder.resolve("dist/.server-built"));
        Files.createFile(home.folder.resolve("dist/.clients-built"));
        return home;
    }

    /** Writes a jar that contains only the class path of this process, without the tests' own classes. */
    private static void writeClassPath(Path jar) throws IOException {
        Path target = Path.of(System.getProperty("basedir"), "target");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .filter(path -> !path.startsWith(target))
                        .map(path -> path.toUri().toString())
                        .collect(Collectors.joining(" ")));
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream empty = new JarOutputStream(out, manifest)) {
            empty.finish();
        }
    }

    /** Replaces the guide's ports and folders. */
    String actual(String text) {
        return text.replaceAll("(?<![\\w.])" + DATA, files + "/")
                .replace(":" + PORT, ":" + port)
                .replace(":" + UI_PORT, ":" + uiPort)
                .replace("port=" + PORT, "port=" + port)
                .replaceAll(
                        "^bin/skep server\\b",
                        "bin/skep server --port " + port + " --ui-port " + uiPort + " --conf " + site);
    }

    /** Replaces ports and folders by those of the guide. */
    String asInGuide(String text) {
        return text.replace(files + "/", DATA).replace(":" + port, ":" + PORT).replace(":" + uiPort, ":" + UI_PORT);
    }

    void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, actual(content));
    }

    /** Returns a process that is not started yet and runs a command in the folder. */
    ProcessBuilder command(String command) {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        Path java = Path.of(System.getProperty("java.home"));
        environment.put("JAVA_HOME", java.toString());
        String path = python().resolveSibling("") + File.pathSeparator + java.resolve("bin");
        environment.merge("PATH", path, (old, added) -> added + File.pathSeparator + old);
        environment.put("SKEP_JAVA_OPTS", JAVA_OPTIONS);
        environment.put("SKEP_START_CACHE", "off");
        environment.put("TERM", "dumb");
        return builder;
    }

    /** Whether the Python of the tests, with PyHive, is there. */
    static boolean hasPython() {
        return Files.isExecutable(python());
    }

    private static Path python() {
        return Path.of(System.getProperty("skep.python", "python")).toAbsolutePath();
    }

    private static String freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
