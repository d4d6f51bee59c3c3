package io.skep.itests.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Hadoop's file system in its own process. The process ends when this object is closed or this JVM exits. */
public final class HadoopProcess implements AutoCloseable {
    private final Path folder;
    private final HadoopProgram program;

    private HadoopProcess(Path folder, HadoopProgram program) {
        this.folder = folder;
        this.program = program;
    }

    /** @param settings the settings of the NameNode and the DataNodes */
    public static HadoopProcess start(int dataNodes, Map<String, String> settings) throws IOException {
        return start(dataNodes, settings, List.of());
    }

    /** @param flags further flags of the JVM */
    public static HadoopProcess start(int dataNodes, Map<String, String> settings, List<String> flags)
            throws IOException {
        Path folder = Files.createTempDirectory("skep-hadoop");
        List<String> arguments =
                new ArrayList<>(List.of(folder.resolve("dfs").toString(), Integer.toString(dataNodes)));
        settings.forEach((name, value) -> arguments.add(name + "=" + value));
        return new HadoopProcess(folder, HadoopProgram.start("HadoopCluster", 512, folder, flags, arguments));
    }

    /** Returns the URI of the file system, {@code hdfs://host:port}. */
    public String uri() {
        return program.ready();
    }

    /** Runs a command of HadoopCluster and returns its answer. */
    public String command(String command) throws IOException {
        return program.command(command);
    }

    /** Sends a signal, such as STOP, to the NameNode and the DataNodes. */
    void signal(String name) throws IOException, InterruptedException {
        program.signal(name);
    }

    /** Returns how many calls of an RPC method, such as {@code GetListing}, the NameNode has received. */
    long calls(String name) throws IOException {
        return Long.parseLong(command("calls " + name));
    }

    /** Returns a separate client, which reads files without going through the server. */
    public FileSystem client() throws IOException {
        Configuration configuration = new Configuration();
        configuration.setBoolean("fs.hdfs.impl.disable.cache", true);
        return new org.apache.hadoop.fs.Path(uri()).getFileSystem(configuration);
    }

    @Override
    public void close() {
        try {
            program.close();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
