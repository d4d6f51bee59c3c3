package io.skep.itests.hdfs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One more DataNode of a cluster, in a process of its own, which can be stopped by a signal. */
record DataNodeProcess(HadoopProgram program) implements AutoCloseable {

    /** @param folder an empty one */
    static DataNodeProcess start(String nameNode, Path folder) throws IOException {
        return new DataNodeProcess(HadoopProgram.start(
                "HadoopDataNode", 256, folder, List.of(folder.resolve("blocks").toString(), nameNode)));
    }

    void signal(String name) throws IOException, InterruptedException {
        program.signal(name);
    }

    @Override
    public void close() throws IOException {
        program.close();
    }
}
