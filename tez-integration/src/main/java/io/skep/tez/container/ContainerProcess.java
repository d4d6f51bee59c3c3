package io.skep.tez.container;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.container.ContainerConfig;
import io.skep.llap.client.container.ContainerDaemon;
import io.skep.llap.client.container.ContainerDaemonFactory;
import io.skep.tez.wire.ContainerVertex;
import io.skep.tez.wire.LocalFolders;
import io.skep.tez.wire.QueryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.runtime.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * The state that the tasks of one container share: the daemon that runs them, and connections to shuffle services. The
 * tasks run one after the other. Tez keeps this object as long as the container. Guarded by itself.
 */
final class ContainerProcess {
    private static final String KEY = "skep";

    /** A folder in the container's own folder, which YARN deletes. */
    private static final Path FOLDER = Path.of("skep");

    private final ContainerDaemon daemon;
    private final Configuration configuration;

    @GuardedBy("this")
    private @Nullable QueryId current;

    private ContainerProcess(ContainerDaemon daemon, Configuration configuration) {
        this.daemon = daemon;
        this.configuration = configuration;
    }

    /** Returns the instance of this process. The first task creates it. */
    static ContainerProcess of(ProcessorContext context, ContainerVertex vertex) throws IOException {
        if (context.getObjectRegistry().get(KEY) instanceof ContainerProcess known) {
            return known;
        }
        Configuration configuration = context.getContainerConfiguration();
        Map<String, String> site = new HashMap<>();
        configuration.forEach(setting -> site.put(setting.getKey(), setting.getValue()));
        ContainerDaemonFactory factory = ServiceLoader.load(
                        ContainerDaemonFactory.class, ContainerProcess.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.INTERNAL_ERROR, "the container's package has nothing to run tasks with"));
        Path spill = FOLDER.resolve("spill").toAbsolutePath();
        Files.createDirectories(spill);
        ContainerDaemon daemon = factory.start(
                new ContainerConfig(vertex.cores(), vertex.container(), spill, site), new ShuffleService(context));
        ContainerProcess process = new ContainerProcess(daemon, configuration);
        context.getObjectRegistry().cacheForSession(KEY, process);
        return process;
    }

    DaemonConnection daemon() {
        return daemon.connection();
    }

    QueryFolder folder(ContainerVertex vertex) {
        return new QueryFolder(configuration, new org.apache.hadoop.fs.Path(vertex.folder()));
    }

    /** Registers a query's plan. Frees what is left of the previous query, which has no more tasks. */
    synchronized void enter(ProcessorContext context, ContainerVertex vertex) throws IOException {
        QueryId query = new QueryId(vertex.query());
        if (query.equals(current)) {
            return;
        }
        Optional.ofNullable(current).ifPresent(before -> {
            daemon.connection().finishQuery(before, "another query has begun").join();
            LocalFolders.delete(folder(before));
        });
        current = null;
        ShuffleFiles.deleteEarlier(context.getWorkDirs(), context.getDagIdentifier());
        QueryFolder folder = folder(vertex);
        Path local = Files.createDirectories(folder(query));
        Map<String, Path> files = new HashMap<>();
        vertex.files().forEach((location, name) -> {
            Path target = local.resolve(name);
            folder.fetch(name, target);
            files.put(location, target);
        });
        EncodedPlan plan = new EncodedPlan(vertex.planHash(), LazyEncoded.ofBytes(folder.plan()));
        daemon.register(query, plan, files);
        current = query;
    }

    /** Returns the folder of a query's files on this machine. */
    private static Path folder(QueryId query) {
        return FOLDER.resolve(query.value()).toAbsolutePath();
    }
}
