package io.skep.tez.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;

/** A warm Tez session: an application master that runs one DAG at a time. */
public final class TezSession implements AutoCloseable {
    private static final long LOOK_MILLIS = 500;

    private final SessionClient client;
    private final String queue;
    private final Duration silence;
    private final Runnable afterwards;
    private volatile boolean used;

    private TezSession(SessionClient client, String queue, Duration silence, Runnable afterwards) {
        this.client = client;
        this.queue = queue;
        this.silence = silence;
        this.afterwards = afterwards;
    }

    /**
     * Starts a master and waits until it accepts DAGs.
     *
     * @param silence how long the client waits for an answer
     * @param unwanted becomes true when no caller waits for it any more
     * @param afterwards called when it has ended, or could not be started
     */
    static TezSession start(
            SessionClient client, String queue, Duration silence, BooleanSupplier unwanted, Runnable afterwards) {
        TezSession session = new TezSession(client, queue, silence, afterwards);
        boolean ready = false;
        try {
            client.start();
            while (!ready) {
                ready = client.waitTillReady(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (!ready && unwanted.getAsBoolean()) {
                    throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "no Tez session is wanted any more");
                }
            }
            return session;
        } catch (TezException | IOException e) {
            throw failure("a Tez session cannot be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("the start of a Tez session was interrupted", e);
        } finally {
            if (!ready) {
                session.closeQuietly();
            }
        }
    }

    private void closeQuietly() {
        try {
            close();
        } catch (SkepException e) {
            // The error that prevented the start is reported.
            System.getLogger(TezSession.class.getName())
                    .log(System.Logger.Level.DEBUG, "a Tez session that did not start cannot be stopped", e);
        }
    }

    /** Returns the YARN queue in which its master runs. */
    String queue() {
        return queue;
    }

    /** Returns the application's name, for people. */
    public String name() {
        return client.getAppMasterApplicationId() + " (" + client.getClientName() + ")";
    }

    /** Returns the application's id in YARN. */
    ApplicationId application() {
        return client.getAppMasterApplicationId();
    }

    /** A call that takes this long was not answered by the master. */
    public Duration silence() {
        return silence;
    }

    /** Returns when it has to be replaced by another one, before the tokens end with which its tasks use files. */
    Instant replacement() {
        return client.replacement();
    }

    /** Whether it has received a DAG. */
    public boolean isUsed() {
        return used;
    }

    public DAGClient submit(DAG dag) throws TezException, IOException {
        used = true;
        return client.submitDAG(dag);
    }

    /** Asks YARN whether the master is still alive. While YARN does not answer, it counts as alive. */
    public boolean isAlive() {
        try {
            // A master that was ready and does not answer has the status INITIALIZING.
            return switch (client.getAppMasterStatus()) {
                case READY, RUNNING -> true;
                case INITIALIZING, SHUTDOWN -> false;
            };
        } catch (TezException | IOException e) {
            return false;
        } catch (SkepException yarnIsAway) {
            return true;
        }
    }

    public static SkepException failure(String what, Exception cause) {
        return new SkepException(StandardErrorCode.TEZ_ERROR, what + ": " + cause.getMessage(), cause);
    }

    /** Stops the application master and deletes its files. */
    @Override
    public void close() {
        try {
            client.stop();
        } catch (TezException | IOException e) {
            throw failure("a Tez session cannot be stopped", e);
        } finally {
            afterwards.run();
        }
    }
}
