package io.skep.service.server;

import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.view.DaemonStats;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.registry.FormatRegistry;
import io.skep.webui.ServerView.FigureView;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The daemon in the server's own process. */
record EmbeddedDaemon(LlapDaemon daemon) implements ServerDaemons {
    static EmbeddedDaemon start(LlapConfig config, FormatRegistry formats, HadoopFileSystem files, ZoneId zone) {
        DaemonResources resources = new DaemonResources(config, formats);
        DaemonStorage storage = DaemonStorage.of(resources, formats, formats, files, new PartitionValues(zone));
        DaemonIdentity identity = new DaemonIdentity(0, UUID.randomUUID().toString(), config.executors());
        LlapDaemon[] self = new LlapDaemon[1];
        self[0] = new LlapDaemon(identity, config, resources, storage, peer -> self[0]);
        return new EmbeddedDaemon(self[0]);
    }

    @Override
    public List<DaemonConnection> live() {
        return List.of(daemon);
    }

    @Override
    public Optional<LlapDaemon> own() {
        return Optional.of(daemon);
    }

    @Override
    public int parallelTasks() {
        return 2 * daemon.config().executors();
    }

    @Override
    public List<FigureView> stats() {
        return DaemonStats.of(daemon);
    }

    @Override
    public Map<String, String> values() {
        return daemon.config().values();
    }

    @Override
    public void close() {
        daemon.close();
    }
}
