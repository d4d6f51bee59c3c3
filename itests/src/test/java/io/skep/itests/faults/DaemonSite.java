package io.skep.itests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.StartedDaemon;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** A server and some daemons, each in its own process, with the table that the queries of {@link Pairs} read. */
final class DaemonSite implements AutoCloseable {
    private static final int MAX_QUERIES = 50;

    /** The place where a daemon runs. */
    record Place(List<String> prefix, Map<String, String> site, Path data, int port) {
        /** Returns a place on this machine's loopback with a port that is reserved for it. */
        static Place local(Path data, Map<String, String> site) throws IOException {
            try (ServerSocket free = new ServerSocket(0)) {
                return new Place(List.of(), site, data, free.getLocalPort());
            }
        }
    }

    private final List<Place> places;
    private final List<StartedDaemon> daemons = new ArrayList<>();
    private final ReleasedClient client;
    private final Path data;
    private final ServerProcess server;

    private DaemonSite(List<Place> places, ReleasedClient client, Path data, Map<String, String> site)
            throws IOException {
        this.places = List.copyOf(places);
        this.data = data;
        this.client = client;
        try {
            for (Place place : places) {
                daemons.add(start(place));
            }
            this.server = start(data, site);
        } catch (IOException e) {
            daemons.forEach(daemon -> daemon.process().destroyForcibly());
            throw e;
        }
    }

    private ServerProcess start(Path data, Map<String, String> site) throws IOException {
        Map<String, String> settings = new HashMap<>(site);
        settings.put(
                "skep.llap.daemons",
                String.join(",", daemons.stream().map(StartedDaemon::endpoint).toList()));
        settings.put("skep.llap.rpc.timeout", "3s");
        settings.put("skep.llap.wait-for-daemons", "2s");
        return ServerProcess.start(Files.createDirectories(data), settings);
    }

    /**
     * Starts the daemons and the server, and fills the table.
     *
     * @param data the server's folder
     * @param site the server's settings, except for the locations of the daemons
     */
    static DaemonSite start(List<Place> places, Path data, Map<String, String> site)
            throws IOException, SQLException, ReflectiveOperationException {
        DaemonSite started = new DaemonSite(places, ReleasedClient.open(), data, site);
        try (Connection connection = started.connect();
                Statement statement = connection.createStatement()) {
            Pairs.load(statement);
        }
        return started;
    }

    private static StartedDaemon start(Place place) throws IOException {
        Map<String, String> settings = new HashMap<>(place.site());
        settings.put("hive.llap.daemon.num.executors", "2");
        settings.put("skep.llap.rpc.timeout", "3s");
        return StartedDaemon.start(place.prefix(), place.data(), place.port(), settings);
    }

    StartedDaemon daemon(int number) {
        return daemons.get(number);
    }

    /** Returns the folder to which a daemon spills. */
    Path spillFolder(int daemon) {
        return places.get(daemon).data().resolve("spill");
    }

    Connection connect() throws SQLException {
        return client.connect(server.url());
    }

    /** Restarts killed daemons on their ports. */
    void repair() throws IOException {
        for (int number = 0; number < daemons.size(); number++) {
            if (!daemons.get(number).process().isAlive()) {
                daemons.set(number, start(places.get(number)));
            }
        }
        awaitConnected(daemons.size());
    }

    void awaitConnected(long count) {
        ServerProcess.await(() -> metric("Daemons", "connected") == count);
    }

    private long metric(String group, String name) {
        try {
            return StartedDaemon.metric(server.uiUrl(), group, name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    void assertNothingLeft() {
        assertThat(leftovers()).isEmpty();
    }

    /** Returns what the live daemons still hold of queries. */
    List<String> leftovers() {
        List<String> all = new ArrayList<>();
        for (StartedDaemon daemon : daemons) {
            if (daemon.process().isAlive()) {
                try {
                    daemon.leftovers().forEach(one -> all.add(daemon.endpoint() + ": " + one));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return all;
    }

    /** Returns all files in a table's folder. */
    List<String> filesOf(String table) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("warehouse").resolve(table))) {
            return files.map(Path::toString).toList();
        }
    }

    /** Runs a query that returns a single number. */
    CompletableFuture<Long> ask(String sql, String scheduler) {
        return CompletableFuture.supplyAsync(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET skep.scheduler=" + scheduler);
                try (ResultSet rows = statement.executeQuery(sql)) {
                    assertThat(rows.next()).isTrue();
                    return rows.getLong(1);
                }
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    /** Runs a query until it is seen running on all daemons. A query that finishes earlier is run again. */
    CompletableFuture<Long> queryOnAll(String sql, String scheduler) {
        for (int i = 0; i < MAX_QUERIES; i++) {
            CompletableFuture<Long> query = ask(sql, scheduler);
            ServerProcess.await(() -> query.isDone() || daemons.stream().allMatch(DaemonSite::isAtWork));
            if (!query.isDone()) {
                return query;
            }
            assertThat(query.join()).isEqualTo(Pairs.COUNT);
        }
        throw new AssertionError("no query was seen at work on all daemons");
    }

    /** Starts a statement that returns no rows, and waits until it is seen running on all daemons. */
    CompletableFuture<Void> executeOnAll(String sql) {
        CompletableFuture<Void> statement = CompletableFuture.runAsync(() -> {
            try (Connection connection = connect();
                    Statement done = connection.createStatement()) {
                done.execute(sql);
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
        ServerProcess.await(() -> statement.isDone() || daemons.stream().allMatch(DaemonSite::isAtWork));
        assertThat(statement).as("it has ended before it was seen at work").isNotDone();
        return statement;
    }

    private static boolean isAtWork(StartedDaemon daemon) {
        try {
            return daemon.metric("Executors", "tasks") > 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Terminates all processes and checks that each one exits normally. */
    @Override
    public void close() throws IOException {
        List<Process> processes = new ArrayList<>(List.of(server.process()));
        daemons.stream().map(StartedDaemon::process).filter(Process::isAlive).forEach(processes::add);
        for (Process process : processes) {
            process.destroy();
            assertThat(process.onExit().join().exitValue()).isIn(0, 143);
        }
        client.close();
    }
}
