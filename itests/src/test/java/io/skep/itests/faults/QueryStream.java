package io.skep.itests.faults;

import io.skep.bench.TpchTables;
import io.skep.itests.tpch.TpchSuite;
import java.io.IOException;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A client that runs TPC-H's queries in random orders, each once per order. When it loses its server, it connects to
 * another one and runs the query there. Any other error fails the query.
 */
final class QueryStream implements Runnable {
    /** The number of times that a query is retried on another server before it counts as failed. */
    private static final int MAX_SERVERS = 20;

    private final StreamSite site;
    private final TpchSuite tpch;
    private final StreamStats tally;
    private final Random random;
    private final BooleanSupplier over;
    private int server;

    /** @param over ends the stream after the current query */
    QueryStream(StreamSite site, TpchSuite tpch, StreamStats tally, long seed, BooleanSupplier over) {
        this.site = site;
        this.tpch = tpch;
        this.tally = tally;
        this.random = new Random(seed);
        this.over = over;
        this.server = random.nextInt(site.serverCount());
    }

    @Override
    public void run() {
        List<Integer> queries = new ArrayList<>(
                IntStream.rangeClosed(1, TpchTables.QUERIES).boxed().toList());
        while (!over.getAsBoolean()) {
            Collections.shuffle(queries, random);
            for (int query : queries) {
                if (!over.getAsBoolean()) {
                    ask(query);
                }
            }
        }
    }

    private void ask(int query) {
        long start = System.nanoTime();
        String lost = "";
        for (int lostServers = 0; lostServers < MAX_SERVERS; lostServers++) {
            boolean elsewhere = lostServers > 0;
            try (Connection connection = tpch.connect(site.server(server).url())) {
                Optional<String> difference = tpch.difference(query, connection);
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                difference.ifPresentOrElse(
                        text -> tally.wrong(String.format(Locale.ROOT, "q%d: %s", query, text)),
                        () -> tally.right(elsewhere, millis));
                return;
            } catch (SQLException e) {
                if (!isServerLost(e)) {
                    tally.failed(String.format(
                            Locale.ROOT, "q%d on server %d: %d %s", query, server, e.getErrorCode(), e.getMessage()));
                    return;
                }
                lost = String.valueOf(e.getMessage());
                server = (server + 1) % site.serverCount();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        tally.failed("q" + query + ": no server answers, the last one said " + lost);
    }

    /**
     * Whether an error means that the server was lost. The driver's classes have another class loader, so its transport
     * exception is recognized by name.
     */
    private static boolean isServerLost(SQLException error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getSimpleName().equals("TTransportException") || cause instanceof SocketException) {
                return true;
            }
        }
        return false;
    }
}
