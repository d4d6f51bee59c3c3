package io.skep.itests.server;

import io.skep.itests.client.ReleasedClient;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Two server processes, "one" and "other", on one PostgreSQL database and one warehouse, and the released driver as
 * their client. One thread stops and restarts servers and database.
 */
public final class ServerPair implements AutoCloseable {
    private final Path folder;
    private final Map<String, String> site;

    /** The resources to close at the end, in reverse order of their start. */
    private final Deque<Closeable> started = new ConcurrentLinkedDeque<>();

    private final ReleasedClient client;
    private EmbeddedPostgres database;
    private ServerProcess one;
    private ServerProcess other;

    /**
     * Starts all processes, or none.
     *
     * @param folder the folder for the warehouse, the database and the servers' data, each in a subfolder of that name
     * @param site additional settings of both servers
     */
    public ServerPair(Path folder, Map<String, String> site) throws IOException, ReflectiveOperationException {
        this.folder = folder;
        this.site = site;
        try {
            client = ReleasedClient.open();
            started.push(client::close);
            database = database(0);
            CompletableFuture<ServerProcess> first = CompletableFuture.supplyAsync(() -> server("one"));
            try {
                other = server("other");
            } finally {
                first.handle((server, failure) -> server).join();
            }
            one = first.join();
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** @param port 0 for any free port */
    private EmbeddedPostgres database(int port) throws IOException {
        EmbeddedPostgres begun = EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(folder.resolve("postgres"))
                .setCleanDataDirectory(false)
                .start();
        started.push(begun);
        return begun;
    }

    private ServerProcess server(String name) {
        Map<String, String> settings = new HashMap<>(site);
        settings.put("javax.jdo.option.ConnectionURL", database.getJdbcUrl("postgres", "postgres"));
        settings.put("hive.metastore.warehouse.dir", "file:" + warehouse());
        try {
            ServerProcess begun = ServerProcess.start(Files.createDirectories(folder.resolve(name)), settings);
            started.push(begun::close);
            return begun;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path warehouse() {
        return folder.resolve("warehouse");
    }

    ReleasedClient client() {
        return client;
    }

    public EmbeddedPostgres database() {
        return database;
    }

    public ServerProcess one() {
        return one;
    }

    public ServerProcess other() {
        return other;
    }

    /** Restarts the server "one", whose process has exited. */
    public void startOneAgain() {
        one = server("one");
    }

    /** Restarts the closed database on the same port and with the same data. */
    void startDatabaseAgain() throws IOException {
        database = database(database.getPort());
    }

    @Override
    public void close() throws IOException {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }
}
