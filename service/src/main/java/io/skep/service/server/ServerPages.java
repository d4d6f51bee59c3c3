package io.skep.service.server;

import io.skep.common.config.SecretSettings;
import io.skep.common.query.OperatorKind;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.session.SettingRules;
import io.skep.service.direct.DirectScheduler;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.OperationHistory;
import io.skep.service.session.OperationHistory.Entry;
import io.skep.webui.ServerView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Provides the content of the server's pages, read from its parts at each call. Secret settings are not shown. */
final class ServerPages implements ServerView {
    private final ServerOptions options;
    private final Map<String, String> settings;
    private final SecretSettings secrets;
    private final ClientSessions sessions;
    private final OperationHistory history;
    private final ServerDaemons daemons;
    private final DirectScheduler direct;
    private final ClientPorts ports;
    private final InstantSource clock;
    private final Instant started;

    ServerPages(
            ServerOptions options,
            Map<String, String> settings,
            ClientSessions sessions,
            OperationHistory history,
            ServerDaemons daemons,
            DirectScheduler direct,
            ClientPorts ports,
            InstantSource clock) {
        this.options = options;
        this.settings = Map.copyOf(settings);
        this.secrets = SettingRules.secrets(settings);
        this.sessions = sessions;
        this.history = history;
        this.daemons = daemons;
        this.direct = direct;
        this.ports = ports;
        this.clock = clock;
        this.started = clock.instant();
    }

    @Override
    public Overview overview() {
        Package own = ServerPages.class.getPackage();
        String version = own == null ? null : own.getImplementationVersion();
        return new Overview(
                version == null ? "development build" : version,
                ports.jdbcUrl(),
                ProcessHandle.current().pid(),
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors(),
                started.toEpochMilli(),
                Duration.between(started, clock.instant()).toMillis());
    }

    @Override
    public List<SessionView> sessions() {
        return sessions.all().stream()
                .sorted(Comparator.comparing(ClientSession::created))
                .map(session -> new SessionView(
                        session.id().toString(),
                        session.user(),
                        session.address(),
                        session.sql().currentDatabase(),
                        session.created().toEpochMilli(),
                        session.lastUsed().toEpochMilli(),
                        session.operations().size()))
                .toList();
    }

    @Override
    public List<QueryView> queries() {
        List<Entry> entries = new ArrayList<>(history.running());
        entries.sort(Comparator.comparing(Entry::created).reversed());
        entries.addAll(history.ended());
        return entries.stream().map(ServerPages::query).toList();
    }

    private static QueryView query(Entry entry) {
        return new QueryView(
                entry.queryId(),
                entry.user(),
                entry.text(),
                entry.state(),
                entry.stats().map(ExecutionStats::scheduler).orElse(""),
                entry.created().toEpochMilli(),
                entry.duration().toMillis(),
                entry.rows().orElse(-1L),
                entry.error().orElse(""));
    }

    @Override
    public Optional<QueryDetail> query(String id) {
        return history.find(id).map(ServerPages::detail);
    }

    private static QueryDetail detail(Entry entry) {
        List<FigureView> timings = List.of(
                micros("compile", entry.compile()),
                micros("execute", entry.duration().minus(entry.compile())),
                micros("total", entry.duration()));
        return new QueryDetail(
                query(entry),
                entry.planText(),
                timings,
                entry.stats().map(ServerPages::stats).orElse(List.of()),
                entry.stats().map(ServerPages::fragments).orElse(List.of()));
    }

    private static FigureView micros(String name, Duration duration) {
        return new FigureView("time", name, duration.toNanos() / 1000, Unit.MICROSECONDS);
    }

    private static List<FigureView> stats(ExecutionStats stats) {
        List<FigureView> views = new ArrayList<>(List.of(
                new FigureView("query", "processor time", stats.times().total() / 1000, Unit.MICROSECONDS),
                new FigureView("query", "peak memory", stats.peakMemoryBytes(), Unit.BYTES),
                new FigureView("query", "spilled", stats.spilledBytes(), Unit.BYTES),
                new FigureView("query", "rows scanned", stats.scan().rows(), Unit.COUNT),
                new FigureView("query", "row groups read", stats.scan().rowGroupsRead(), Unit.COUNT),
                new FigureView("query", "row groups skipped", stats.scan().rowGroupsSkipped(), Unit.COUNT),
                new FigureView("query", "read from files", stats.scan().bytesRead(), Unit.BYTES),
                new FigureView("query", "found in the cache", stats.scan().cacheHitBytes(), Unit.BYTES),
                new FigureView("query", "missed in the cache", stats.scan().cacheMissBytes(), Unit.BYTES),
                new FigureView("query", "waited for files", stats.scan().ioNanos() / 1000, Unit.MICROSECONDS)));
        if (stats.splitsLeftOut() > 0) {
            views.add(new FigureView("query", "splits left out", stats.splitsLeftOut(), Unit.COUNT));
        }
        if (stats.placement().ranges() > 0) {
            views.addAll(PlacementCards.of("query", stats.placement()));
        }
        for (OperatorKind kind : stats.times().kinds()) {
            views.add(
                    new FigureView("processor time", kind.label(), stats.times().of(kind) / 1000, Unit.MICROSECONDS));
        }
        return views;
    }

    private static List<FragmentView> fragments(ExecutionStats stats) {
        return stats.fragments().stream()
                .map(one -> new FragmentView(
                        one.fragment(),
                        one.tasks(),
                        one.runningTasks(),
                        one.finishedTasks(),
                        one.failedTasks(),
                        one.outputRows()))
                .toList();
    }

    @Override
    public List<FigureView> figures() {
        List<FigureView> views = new ArrayList<>(List.of(
                new FigureView("Clients", "connections", ports.connectionCount(), Unit.COUNT),
                new FigureView("Clients", "sessions", sessions.all().size(), Unit.COUNT),
                new FigureView("Clients", "queries", history.running().size(), Unit.COUNT),
                new FigureView(
                        "Clients",
                        "statements compiled now",
                        sessions.compiling().compiling(),
                        Unit.COUNT),
                new FigureView(
                        "Clients",
                        "statements that wait for that",
                        sessions.compiling().waiting(),
                        Unit.COUNT)));
        views.addAll(PlacementCards.of(direct.placed(), direct.work()));
        views.addAll(daemons.stats());
        return views;
    }

    @Override
    public List<SettingView> settings() {
        Map<String, SettingView> shown = new TreeMap<>();
        Stream.of(ServerSettings.OF_THE_START, ServerSettings.OF_SESSIONS)
                .flatMap(List::stream)
                .forEach(known -> show(shown, known.name(), known.defaultValue(), "default"));
        daemons.values().forEach((name, value) -> show(shown, name, value, "derived from the machine"));
        settings.forEach((name, value) -> show(shown, name, value, "default"));
        options.site().forEach((name, value) -> show(shown, name, value, "site file"));
        show(shown, "data folder", options.data().toString(), "start");
        ports.numbers().forEach((name, port) -> show(shown, name, Integer.toString(port), "start"));
        return List.copyOf(shown.values());
    }

    /** Later values replace earlier ones. */
    private void show(Map<String, SettingView> shown, String name, String value, String source) {
        shown.put(name, new SettingView(name, secrets.redact(name, value), source));
    }
}
