package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedJars;
import io.skep.itests.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One more DataNode of a cluster, in a process of its own, which can be stopped by a signal. */
record DataNodeProcess(Process process) implements AutoCloseable {

    /** @param folder an empty one */
    static DataNodeProcess start(String nameNode, Path folder) throws IOException {
        Path home = ReleasedJars.home();
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + home.resolve("bin/jvm.flags"),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlog4j.configuration=file:" + home.resolve("conf/log4j.properties"),
                        "-cp",
                        home.resolve("itests/hadoop-cluster/target/classes") + File.pathSeparator
                                + home.resolve("dist/hadoop-cluster-lib") + "/*",
                        "io.skep.itests.cluster.HadoopDataNode",
                        folder.resolve("blocks").toString(),
                        nameNode))
                .directory(folder.toFile())
                .redirectError(folder.resolve("datanode.log").toFile())
                .start();
        String line = process.inputReader().readLine();
        if (!"ready".equals(line)) {
            process.destroyForcibly();
            throw new IOException("the DataNode did not start; see " + folder.resolve("datanode.log"));
        }
        return new DataNodeProcess(process);
    }

    void signal(String name) throws IOException, InterruptedException {
        signal(process, name);
    }

    static void signal(Process process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter().close();
        ServerProcess.awaitEnd(process);
    }
}
