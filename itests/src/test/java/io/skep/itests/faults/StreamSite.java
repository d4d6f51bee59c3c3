package io.skep.itests.faults;

import io.skep.common.file.PrivateFiles;
import io.skep.itests.faults.DaemonSite.Place;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.StartedDaemon;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Servers on one PostgreSQL database and daemons that all of them use, each in its own process. The daemons run on
 * hosts of their own where the system allows network namespaces. One thread changes the processes; many threads read
 * them.
 */
final class StreamSite implements AutoCloseable {
    private static final int DAEMON_PORT = 9000;
    private static final String TIMEOUT = "3s";

    private final Path folder;
    private final EmbeddedPostgres postgres;
    private final Optional<NetworkLab> network;
    private final List<String> hosts;
    private final List<Place> places = new ArrayList<>();
    private final StartedDaemon[] daemons;
    private final ServerProcess[] servers;

    private StreamSite(Path folder, int serverCount, List<String> hosts, Optional<NetworkLab> network)
            throws IOException {
        this.folder = folder;
        this.network = network;
        this.hosts = hosts;
        this.daemons = new StartedDaemon[hosts.size()];
        this.servers = new ServerProcess[serverCount];
        this.postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start();
    }

    static StreamSite start(Path folder, int servers, int daemons) throws IOException, InterruptedException {
        List<String> hosts = new ArrayList<>();
        for (int number = 0; number < daemons; number++) {
            hosts.add("host" + number);
        }
        Optional<NetworkLab> network =
                NetworkLab.isAllowed() ? Optional.of(NetworkLab.open(hosts.toArray(String[]::new))) : Optional.empty();
        StreamSite site = new StreamSite(folder, servers, hosts, network);
        try {
            site.startAll();
        } catch (IOException | RuntimeException e) {
            site.close();
            throw e;
        }
        return site;
    }

    private void startAll() throws IOException {
        Path secret = Files.writeString(PrivateFiles.create(folder.resolve("secret")), "only for this test");
        for (String host : hosts) {
            Path data = folder.resolve(host);
            Map<String, String> common = Map.of(
                    "hive.llap.daemon.num.executors",
                    "2",
                    "skep.llap.rpc.timeout",
                    TIMEOUT,
                    "skep.llap.rpc.secret-file",
                    secret.toString());
            if (network.isPresent()) {
                Map<String, String> site = new HashMap<>(common);
                site.put("skep.llap.bind-host", network.get().address(host));
                site.put("skep.llap.insecure-pages", "true");
                places.add(new Place(network.get().inside(host), site, data, DAEMON_PORT));
            } else {
                places.add(Place.local(data, common));
            }
        }
        for (int number = 0; number < daemons.length; number++) {
            startDaemon(number);
        }
        for (int number = 0; number < servers.length; number++) {
            startServer(number);
        }
    }

    void startDaemon(int number) throws IOException {
        Place place = places.get(number);
        StartedDaemon started = StartedDaemon.start(place.prefix(), place.data(), place.port(), place.site());
        synchronized (this) {
            daemons[number] = started;
        }
    }

    void startServer(int number) throws IOException {
        String endpoints =
                List.of(daemons).stream().map(StartedDaemon::endpoint).collect(Collectors.joining(","));
        ServerProcess started = ServerProcess.start(
                Files.createDirectories(folder.resolve("server" + number)),
                Map.of(
                        "javax.jdo.option.ConnectionURL",
                        postgres.getJdbcUrl("postgres", "postgres"),
                        "hive.metastore.warehouse.dir",
                        "file:" + folder.resolve("warehouse"),
                        "skep.llap.daemons",
                        endpoints,
                        "skep.llap.rpc.timeout",
                        TIMEOUT,
                        "skep.llap.rpc.secret-file",
                        folder.resolve("secret").toString(),
                        "skep.llap.wait-for-daemons",
                        "20s",
                        "hive.txn.timeout",
                        "10s"));
        synchronized (this) {
            servers[number] = started;
        }
    }

    int serverCount() {
        return servers.length;
    }

    int daemonCount() {
        return daemons.length;
    }

    synchronized ServerProcess server(int number) {
        return servers[number];
    }

    synchronized StartedDaemon daemon(int number) {
        return daemons[number];
    }

    /** Returns the network, or empty if the daemons run on this machine's loopback. */
    Optional<NetworkLab> network() {
        return network;
    }

    String host(int daemon) {
        return hosts.get(daemon);
    }

    /** Waits until each server sees all daemons. */
    void awaitWhole() {
        for (int number = 0; number < servers.length; number++) {
            String pages = server(number).uiUrl();
            ServerProcess.await(() -> connected(pages) == daemons.length);
        }
    }

    private static long connected(String pages) {
        try {
            return StartedDaemon.metric(pages, "Daemons", "connected");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns what the daemons still hold of queries, by endpoint. Waits for a bounded time until they hold nothing.
     */
    List<String> leftovers() throws IOException {
        List<String> left = new ArrayList<>();
        for (int number = 0; number < daemons.length; number++) {
            StartedDaemon daemon = daemon(number);
            daemon.leftovers().forEach(one -> left.add(daemon.endpoint() + ": " + one));
        }
        return left;
    }

    @Override
    public void close() throws IOException {
        for (ServerProcess server : servers) {
            if (server != null) {
                server.close();
            }
        }
        for (StartedDaemon daemon : daemons) {
            if (daemon != null) {
                daemon.close();
            }
        }
        if (network.isPresent()) {
            network.get().close();
        }
        postgres.close();
    }
}
