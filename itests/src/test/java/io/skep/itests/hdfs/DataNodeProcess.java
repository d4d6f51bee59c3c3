package io.skep.itests.hdfs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An additional DataNode of a cluster in its own process, which a signal can stop. */
record DataNodeProcess(HadoopProgram program) implements AutoCloseable {

    /** @param folder an empty folder */
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
