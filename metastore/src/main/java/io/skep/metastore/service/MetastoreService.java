package io.skep.metastore.service;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.database.DerbyDatabase;
import io.skep.metastore.database.SharedDatabase;
import io.skep.metastore.database.SilenceLimits;
import io.skep.metastore.hive.ServiceSettings;
import io.skep.storage.file.HadoopLogin;
import io.skep.storage.file.HadoopSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HiveMetaStore;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.apache.hadoop.hive.metastore.security.HadoopThriftAuthBridge;
import org.jspecify.annotations.Nullable;

/**
 * Hive's metastore service, in this process. There is one for the life of a process, because Hive's class keeps its
 * server in static fields and cannot be stopped.
 */
final class MetastoreService implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(5);
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

    private static final String ONE_PROCESS = "Derby serves one process at a time: set "
            + "javax.jdo.option.ConnectionURL, in the site files of both, to a PostgreSQL database, or stop the server "
            + "first";

    private final String uri;
    private final EmbeddedParts embedded;
    private final CompletableFuture<Void> end;

    private MetastoreService(String uri, EmbeddedParts embedded, CompletableFuture<Void> end) {
        this.uri = uri;
        this.embedded = embedded;
        this.end = end;
    }

    /** The embedded database and the folder that contains it, when the site has no other database. */
    private record EmbeddedParts(
            @Nullable DataDirectory data, @Nullable DerbyDatabase derby) implements AutoCloseable {
        static final EmbeddedParts NONE = new EmbeddedParts(null, null);

        @Override
        public void close() {
            if (derby != null) {
                derby.close();
            }
            if (data != null) {
                data.close();
            }
        }
    }

    /**
     * Returns when the service serves.
     *
     * @throws SkepException DATA_DIRECTORY_IN_USE when the database is Derby and in use, METASTORE_ERROR when the
     *     database or the port cannot be used
     */
    static MetastoreService start(MetastoreServiceConfig config) throws InterruptedException {
        // There is one service for the life of the process, and so is its login.
        config.login()
                .ifPresent(login -> HadoopLogin.start(
                        login, HadoopSettings.of(config.metastore().properties())));
        int port = freePort(config);
        EmbeddedParts embedded = EmbeddedParts.NONE;
        String url;
        try {
            if (config.metastore().connectionUrl().isEmpty()) {
                embedded = open(config);
            }
            url = embedded.derby() == null
                    ? prepare(config.metastore())
                    : embedded.derby().url();
        } catch (SkepException e) {
            throw e.code() == StandardErrorCode.DATA_DIRECTORY_IN_USE ? inUse(e) : e;
        }
        Configuration settings = ServiceSettings.of(config.metastore(), url, config.host(), port);
        if (config.login().isPresent()) {
            // Users of the service have no tickets here. Otherwise it would reach HDFS as them, and be refused.
            MetastoreConf.setBoolVar(settings, ConfVars.EXECUTE_SET_UGI, false);
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        AtomicBoolean serves = new AtomicBoolean();
        Thread.ofPlatform().daemon().name("metastore-service").start(() -> run(port, settings, serves, end));
        MetastoreService service = new MetastoreService(uri(config.host(), port), embedded, end);
        try {
            service.awaitStart(serves);
            addOlderCalls();
        } catch (SkepException e) {
            service.close();
            throw e;
        }
        return service;
    }

    private static String uri(String host, int port) {
        return "thrift://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    private static EmbeddedParts open(MetastoreServiceConfig config) {
        DataDirectory data = DataDirectory.open(config.data());
        return new EmbeddedParts(data, DerbyDatabase.open(data.resolve(DerbyDatabase.FOLDER)));
    }

    private static String prepare(MetastoreConfig config) {
        String url = SilenceLimits.in(config.connectionUrl().orElseThrow());
        SharedDatabase.prepare(url, config.user(), config.password());
        return url;
    }

    private static SkepException inUse(SkepException e) {
        return new SkepException(StandardErrorCode.DATA_DIRECTORY_IN_USE, String.valueOf(e.getMessage()), e)
                .withHint(ONE_PROCESS);
    }

    /** Returns the port of the settings, or any free one for 0. A port that is in use fails the start at once. */
    private static int freePort(MetastoreServiceConfig config) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(config.host()), config.port()));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new SkepException(
                            StandardErrorCode.METASTORE_ERROR,
                            "cannot listen on " + config.host() + ":" + config.port() + ": " + e.getMessage(),
                            e)
                    .withHint("choose another port with --port, or an address of this machine with --host");
        }
    }

    private static void run(int port, Configuration settings, AtomicBoolean serves, CompletableFuture<Void> end) {
        try {
            HiveMetaStore.startMetaStore(port, HadoopThriftAuthBridge.getBridge(), settings, true, serves);
            end.complete(null);
        } catch (Throwable e) {
            end.completeExceptionally(e);
        }
    }

    private static void addOlderCalls() {
        try {
            OlderCalls.add();
        } catch (ReflectiveOperationException e) {
            throw new SkepException(
                    StandardErrorCode.INTERNAL_ERROR, "the calls of Hive 2 cannot be added to the service: " + e, e);
        }
    }

    private void awaitStart(AtomicBoolean serves) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_START.toNanos();
        while (!serves.get()) {
            if (System.nanoTime() - deadline > 0) {
                throw new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "the metastore service did not start within " + LONGEST_START.toMinutes() + " minutes");
            }
            try {
                end.get(LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                throw new SkepException(StandardErrorCode.METASTORE_ERROR, "the metastore service ended at its start");
            } catch (TimeoutException e) {
                // It is starting.
            } catch (ExecutionException e) {
                throw failed(e);
            }
        }
    }

    private static SkepException failed(Exception e) {
        return new SkepException(StandardErrorCode.METASTORE_ERROR, "the metastore service failed: " + e.getCause(), e);
    }

    String uri() {
        return uri;
    }

    /**
     * Waits for the end of the service, which comes only from a failure.
     *
     * @throws SkepException METASTORE_ERROR
     */
    void await() {
        try {
            end.join();
        } catch (CompletionException e) {
            throw failed(e);
        }
    }

    /** Closes the embedded database. The service itself ends with its process. */
    @Override
    public void close() {
        embedded.close();
    }
}
