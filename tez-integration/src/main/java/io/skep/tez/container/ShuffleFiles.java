package io.skep.tez.container;

import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.PageStream;
import io.skep.tez.wire.LocalFolders;
import io.skep.tez.wire.PageFrames;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.tez.common.TezRuntimeFrameworkConfigs;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.library.common.Constants;
import org.apache.tez.runtime.library.common.TezRuntimeUtils;
import org.apache.tez.runtime.library.common.sort.impl.TezIndexRecord;
import org.apache.tez.runtime.library.common.sort.impl.TezSpillRecord;
import org.apache.tez.runtime.library.common.task.local.output.TezTaskOutput;
import org.apache.tez.runtime.library.common.task.local.output.TezTaskOutputFiles;

/**
 * Writes task outputs into the application's local folders in the layout that the node's shuffle service expects: one
 * file with all partitions in sequence, and an index. The service does not read the partitions, which are
 * {@link PageFrames}.
 */
public final class ShuffleFiles {
    /**
     * The names of attempt outputs, with and without a folder for their DAG. The site's shuffle service determines
     * which is used.
     */
    private static final Pattern OF_DAG = Pattern.compile("dag_(\\d+)|attempt_\\d+_\\d+_(\\d+)_.*");

    private static final int BUFFER = 1 << 17;

    private ShuffleFiles() {}

    /**
     * Writes an attempt's output.
     *
     * @param partitions opens the rows of a partition
     * @return the location of the rows
     */
    static DaemonIdentity write(ProcessorContext context, int count, IntFunction<PageStream> partitions)
            throws IOException {
        Configuration configuration = new Configuration(context.getContainerConfiguration());
        configuration.setStrings(TezRuntimeFrameworkConfigs.LOCAL_DIRS, context.getWorkDirs());
        String name = context.getUniqueIdentifier();
        TezTaskOutput folder = new TezTaskOutputFiles(configuration, name, context.getDagIdentifier());
        TezSpillRecord index = new TezSpillRecord(count);
        Path file = Path.of(folder.getOutputFileForWrite().toUri().getPath());
        Files.createDirectories(file.getParent());
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
            long written = 0;
            for (int i = 0; i < count; i++) {
                long length = write(out, partitions.apply(i));
                index.putIndex(new TezIndexRecord(written, length, length), i);
                written += length;
            }
        }
        long indexBytes = (long) count * Constants.MAP_OUTPUT_INDEX_RECORD_LENGTH;
        FileSystem local = FileSystem.getLocal(configuration).getRaw();
        index.writeToFile(folder.getOutputIndexFileForWrite(indexBytes), configuration, local);
        String host = context.getExecutionContext().getHostName();
        return new DaemonIdentity(
                context.getDagIdentifier(), name, 1, Optional.of(new DaemonEndpoint(host, port(context))));
    }

    private static long write(DataOutputStream out, PageStream rows) throws IOException {
        try (rows) {
            return PageFrames.writeAll(out, rows);
        }
    }

    /** Returns the name of the site's shuffle service. */
    static String service(Configuration configuration) {
        return configuration.get(
                TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID,
                TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID_DEFAULT);
    }

    private static int port(ProcessorContext context) throws IOException {
        return TezRuntimeUtils.deserializeShuffleProviderMetaData(
                context.getServiceProviderMetaData(service(context.getContainerConfiguration())));
    }

    /**
     * Deletes outputs of the session's earlier DAGs on this node, which are not read any more. A session runs one DAG
     * at a time.
     *
     * @param folders of the application
     * @param current number of the running DAG
     */
    public static void deleteEarlier(String[] folders, int current) throws IOException {
        for (String folder : folders) {
            for (Path parent : List.of(Path.of(folder), Path.of(folder, Constants.TEZ_RUNTIME_TASK_OUTPUT_DIR))) {
                for (Path output : children(parent)) {
                    Matcher name = OF_DAG.matcher(String.valueOf(output.getFileName()));
                    if (name.matches() && dag(name) < current) {
                        LocalFolders.delete(output);
                    }
                }
            }
        }
    }

    private static int dag(Matcher name) {
        return Integer.parseInt(name.group(1) == null ? name.group(2) : name.group(1));
    }

    private static List<Path> children(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList();
        }
    }
}
