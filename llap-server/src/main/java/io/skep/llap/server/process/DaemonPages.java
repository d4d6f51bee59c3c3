package io.skep.llap.server.process;

import io.skep.common.config.Property;
import io.skep.common.config.SecretSettings;
import io.skep.common.time.SteadyClock;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.rpc.DaemonServer;
import io.skep.llap.server.view.DaemonStats;
import io.skep.webui.ServerView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The contents of a daemon's web pages, read from its parts at each call. The pages show queries by name; their texts
 * are on their servers.
 */
final class DaemonPages implements ServerView {
    private static final String HIDDEN_LIST = "hive.conf.hidden.list";

    private final DaemonOptions options;
    private final DaemonConfig config;
    private final MemoryPlan memory;
    private final LlapDaemon daemon;
    private final DaemonServer server;
    private final SecretSettings secrets;
    private final InstantSource clock = SteadyClock.start();
    private final Instant started = clock.instant();

    DaemonPages(DaemonOptions options, DaemonConfig config, MemoryPlan memory, LlapDaemon daemon, DaemonServer server) {
        this.options = options;
        this.config = config;
        this.secrets = SecretSettings.ofList(options.site().getOrDefault(HIDDEN_LIST, ""));
        this.memory = memory;
        this.daemon = daemon;
        this.server = server;
    }

    @Override
    public Overview overview() {
        String version = DaemonPages.class.getPackage().getImplementationVersion();
        return new Overview(
                version == null ? "development build" : version,
                "llap://" + daemon.identity().endpoint().orElseThrow(),
                ProcessHandle.current().pid(),
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors(),
                started.toEpochMilli(),
                Duration.between(started, clock.instant()).toMillis());
    }

    @Override
    public List<SessionView> sessions() {
        return List.of();
    }

    @Override
    public List<QueryView> queries() {
        return daemon.queries().stream()
                .map(query -> new QueryView(query.value(), "", query.value(), "RUNNING", "", 0, 0, -1, ""))
                .toList();
    }

    @Override
    public Optional<QueryDetail> query(String id) {
        return Optional.empty();
    }

    @Override
    public List<FigureView> figures() {
        List<FigureView> views = new ArrayList<>(List.of(
                new FigureView("Connections", "servers and daemons", server.connectionCount(), Unit.COUNT),
                new FigureView("Connections", "with other daemons", server.peerConnectionCount(), Unit.COUNT),
                new FigureView("Connections", "queries", daemon.queries().size(), Unit.COUNT)));
        views.addAll(DaemonStats.of(daemon));
        return views;
    }

    @Override
    public List<SettingView> settings() {
        Map<String, SettingView> shown = new TreeMap<>();
        Stream.of(DaemonConfig.PROPERTIES, PagesConfig.PROPERTIES, LlapConfig.PROPERTIES, RpcConfig.PROPERTIES)
                .flatMap(List::stream)
                .forEach((Property<?> known) -> show(shown, known.name(), known.defaultValue(), "default"));
        config.sizes().values().forEach((name, value) -> show(shown, name, value, "derived from the machine"));
        memory.values().forEach((name, value) -> show(shown, name, value, "derived from the machine"));
        options.site().forEach((name, value) -> {
            if (shown.containsKey(name)) {
                show(shown, name, value, "site file or command line");
            }
        });
        show(shown, "data folder", options.data().toString(), "start");
        show(shown, "slot", Integer.toString(daemon.identity().slot()), "start");
        show(shown, "incarnation", daemon.identity().incarnation(), "start");
        return List.copyOf(shown.values());
    }

    private void show(Map<String, SettingView> shown, String name, String value, String source) {
        shown.put(name, new SettingView(name, secrets.redact(name, value), source));
    }
}
