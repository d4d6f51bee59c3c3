package io.skep.itests.history;

import io.skep.common.error.StandardErrorCode;
import io.skep.itests.client.ReleasedClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A client that writes to or reads from a workload's table until the round is over. It reconnects after any error. */
public final class WorkloadClient implements Runnable {
    private static final long PAUSE_NANOS = 100_000_000;

    /** The work that a client repeats. */
    @FunctionalInterface
    public interface Work {
        void on(Statement statement) throws SQLException;
    }

    private final ReleasedClient client;
    private final Supplier<String> urls;
    private final Work work;
    private final BooleanSupplier over;
    private final List<String> internalErrors = new ArrayList<>();

    /**
     * @param urls supplies the server to connect to, for each connection
     * @param over stops the client after the current statement
     */
    private WorkloadClient(ReleasedClient client, Supplier<String> urls, Work work, BooleanSupplier over) {
        this.client = client;
        this.urls = urls;
        this.work = work;
        this.over = over;
    }

    public static WorkloadClient writer(
            ReleasedClient client, Supplier<String> urls, Workload workload, long seed, BooleanSupplier over) {
        Random random = new Random(seed);
        return new WorkloadClient(client, urls, statement -> workload.write(statement, random), over);
    }

    public static WorkloadClient reader(
            ReleasedClient client, Supplier<String> urls, Workload workload, BooleanSupplier over) {
        return new WorkloadClient(client, urls, workload::read, over);
    }

    @Override
    public void run() {
        while (!over.getAsBoolean()) {
            try (Connection connection = client.connect(urls.get());
                    Statement statement = connection.createStatement()) {
                while (!over.getAsBoolean()) {
                    work.on(statement);
                }
            } catch (SQLException e) {
                if (e.getErrorCode() == StandardErrorCode.INTERNAL_ERROR.code()) {
                    internalErrors.add(e.getMessage());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Returns the failures that name no cause outside of the server. Call it only after the client has stopped. */
    public List<String> internalErrors() {
        return internalErrors;
    }

    /** Runs work, and retries it after an error, until it succeeds once. */
    public static void retryUntilDone(ReleasedClient client, Supplier<String> urls, Work work) throws SQLException {
        SQLException last = new SQLException("not tried");
        for (int tries = 0; tries < 100; tries++) {
            try (Connection connection = client.connect(urls.get());
                    Statement statement = connection.createStatement()) {
                work.on(statement);
                return;
            } catch (SQLException e) {
                last = e;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        throw last;
    }
}
