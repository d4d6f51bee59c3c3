package io.skep.tez.container;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import io.skep.tez.wire.PageFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.tez.http.BaseHttpConnection;
import org.apache.tez.runtime.library.common.shuffle.orderedgrouped.ShuffleHeader;
import org.jspecify.annotations.Nullable;

/**
 * One partition of an attempt's output. It is fetched from the shuffle service of its node when the first rows are
 * requested. A broken connection is made again a few times, and rows that have been read are skipped.
 */
final class ShuffleStream implements PageStream {
    private static final int TRIES = 3;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Connector connector;
    private final String attempt;
    private final int partition;
    private final Executor readers;
    private final Function<IOException, SkepException> lost;

    /** Guards the following fields, except the flag. */
    private final ReentrantLock reading = new ReentrantLock();

    @GuardedBy("reading")
    private @Nullable BaseHttpConnection connection;

    @GuardedBy("reading")
    private @Nullable DataInputStream in;

    @GuardedBy("reading")
    private int read;

    private volatile boolean closed;

    /** Opens a connection that is ready to be read. */
    interface Connector {
        BaseHttpConnection connect() throws IOException;
    }

    /**
     * @param attempt whose output it is
     * @param readers run reads, which wait for the network
     * @param lost creates the stream's failure when the rows cannot be fetched
     */
    ShuffleStream(
            Connector connector,
            String attempt,
            int partition,
            Executor readers,
            Function<IOException, SkepException> lost) {
        this.connector = connector;
        this.attempt = attempt;
        this.partition = partition;
        this.readers = readers;
        this.lost = lost;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return CompletableFuture.supplyAsync(this::read, readers);
    }

    private Optional<Batch> read() {
        reading.lock();
        try {
            for (int tries = 1; ; tries++) {
                try {
                    Optional<Batch> rows = PageFrames.read(in());
                    read++;
                    if (rows.isEmpty() || closed) {
                        disconnect();
                    }
                    return rows;
                } catch (IOException e) {
                    disconnect();
                    if (tries == TRIES || closed) {
                        throw lost.apply(e);
                    }
                    LockSupport.parkNanos(tries * PAUSE_NANOS);
                }
            }
        } finally {
            reading.unlock();
        }
    }

    @GuardedBy("reading")
    private DataInputStream in() throws IOException {
        DataInputStream open = in;
        if (open != null) {
            return open;
        }
        BaseHttpConnection made = connector.connect();
        connection = made;
        DataInputStream input = stream(made);
        ShuffleHeader header = new ShuffleHeader();
        header.readFields(input);
        if (!attempt.equals(header.getMapId()) || header.getPartition() != partition) {
            throw new IOException(
                    "the shuffle service gives " + header + " for partition " + partition + " of " + attempt);
        }
        PageFrames.skip(input, read);
        in = input;
        return input;
    }

    private static DataInputStream stream(BaseHttpConnection made) throws IOException {
        try {
            return made.getInputStream();
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    @GuardedBy("reading")
    private void disconnect() {
        BaseHttpConnection open = connection;
        connection = null;
        in = null;
        if (open == null) {
            return;
        }
        try {
            open.cleanup(true);
        } catch (IOException e) {
            System.getLogger(ShuffleStream.class.getName())
                    .log(System.Logger.Level.DEBUG, "a connection to a shuffle service cannot be closed", e);
        }
    }

    /** Disconnects on another thread, because a read may be waiting for the network. */
    @Override
    public void close() {
        closed = true;
        readers.execute(() -> {
            reading.lock();
            try {
                disconnect();
            } finally {
                reading.unlock();
            }
        });
    }
}
