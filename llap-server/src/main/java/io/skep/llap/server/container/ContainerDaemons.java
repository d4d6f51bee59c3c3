package io.skep.llap.server.container;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.OutputSource;
import io.skep.llap.client.container.ContainerConfig;
import io.skep.llap.client.container.ContainerDaemon;
import io.skep.llap.client.container.ContainerDaemonFactory;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.HadoopSettings;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.registry.FormatRegistry;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/** Creates daemons sized for their containers. */
public final class ContainerDaemons implements ContainerDaemonFactory {
    @Override
    public ContainerDaemon start(ContainerConfig config, Function<DaemonIdentity, ? extends OutputSource> outputs) {
        ZoneId zone = ZoneId.systemDefault();
        Configuration hadoop = HadoopSettings.of(config.site());
        // A container that is asked to stop may still be writing.
        hadoop.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
        HadoopFileSystem files = new HadoopFileSystem(hadoop);
        FormatRegistry formats = new FormatRegistry(files, zone);
        LlapConfig daemonConfig = LlapConfig.ofContainer(config.executors(), config.bytes(), config.spillFolder());
        DaemonResources resources = new DaemonResources(daemonConfig, formats);
        DaemonStorage storage = DaemonStorage.of(resources, formats, formats, files, new PartitionValues(zone));
        DaemonIdentity identity = new DaemonIdentity(0, UUID.randomUUID().toString(), config.executors());
        return new Started(new LlapDaemon(identity, daemonConfig, resources, storage, outputs));
    }

    private record Started(LlapDaemon daemon) implements ContainerDaemon {
        @Override
        public DaemonConnection connection() {
            return daemon;
        }

        @Override
        public void register(QueryId query, EncodedPlan plan, Map<String, Path> files) {
            daemon.register(
                    query,
                    plan,
                    files.entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey, file -> CompletableFuture.completedFuture(file.getValue()))));
        }
    }
}
