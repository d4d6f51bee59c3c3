package io.skep.reader;

import java.net.URI;
import java.util.function.Function;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.ErrorFlightMetadata;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one split. When a daemon is lost, they are read from the next one. Each read of a repeatable split has
 * the same rows in the same order, whatever its batches are. So a later read skips as many rows as were delivered, and
 * each row is delivered once. A split that is not repeatable fails when it is lost after its first rows.
 */
public final class SplitRows implements AutoCloseable {
    /** Each location is tried that often: a full daemon has room later, and one that was restarted is back. */
    private static final int ROUNDS = 3;

    private static final long PAUSE_MILLIS = 200;

    /** The error of a read, in the metadata of the call. */
    public static final String FAILURE = "skep-failure-bin";

    private final ExternalSplit split;
    private final Function<URI, FlightClient> connector;
    private int attempts;
    private long delivered;
    private long toSkip;
    private @Nullable FlightClient client;
    private @Nullable FlightStream stream;
    private @Nullable VectorSchemaRoot rest;

    SplitRows(ExternalSplit split, Function<URI, FlightClient> connector) {
        this.split = split;
        this.connector = connector;
    }

    /** Returns the schema of the rows. */
    public Schema schema() {
        return split.arrowSchema();
    }

    /** The number of rows that {@link #next} has made readable. */
    public long delivered() {
        return delivered;
    }

    /**
     * Advances to the next batch, which has at least one row and is valid until the next call. Blocks.
     *
     * @return false at the end
     * @throws ReadException the failure of the read, when no other daemon can continue it
     */
    public boolean next() {
        while (true) {
            try {
                return advance();
            } catch (FlightRuntimeException e) {
                disconnect();
                retry(e);
            }
        }
    }

    /** Returns the rows of the current batch. They belong to this object. */
    public VectorSchemaRoot batch() {
        VectorSchemaRoot part = rest;
        if (part != null) {
            return part;
        }
        FlightStream open = stream;
        if (open == null) {
            throw new IllegalStateException("there is no current batch");
        }
        return open.getRoot();
    }

    private boolean advance() {
        release();
        FlightStream open = stream;
        if (open == null) {
            open = connect();
        }
        while (open.next()) {
            VectorSchemaRoot root = open.getRoot();
            int rows = root.getRowCount();
            if (rows <= toSkip) {
                toSkip -= rows;
                continue;
            }
            if (toSkip > 0) {
                rest = root.slice((int) toSkip, rows - (int) toSkip);
            }
            delivered += rows - toSkip;
            toSkip = 0;
            return true;
        }
        if (toSkip > 0) {
            throw new ReadException(
                    ReadErrorCode.TABLE_CHANGED,
                    "a split has fewer rows when it is read again: its files have changed");
        }
        return false;
    }

    private FlightStream connect() {
        URI location = split.locations().get(attempts % split.locations().size());
        attempts++;
        toSkip = delivered;
        FlightClient made = connector.apply(location);
        client = made;
        FlightStream opened = made.getStream(new Ticket(split.ticket()));
        stream = opened;
        return opened;
    }

    /** Returns when another attempt may be made. */
    private void retry(FlightRuntimeException error) {
        CallStatus status = error.status();
        boolean full = status.code() == FlightStatusCode.RESOURCE_EXHAUSTED;
        boolean lost = status.code() == FlightStatusCode.UNAVAILABLE
                || status.code() == FlightStatusCode.CANCELLED
                || status.code() == FlightStatusCode.TIMED_OUT;
        boolean continued = delivered == 0 || split.repeatable();
        if (!full && !lost
                || !continued
                || attempts >= ROUNDS * split.locations().size()) {
            throw failure(status, error);
        }
        // The next location is tried at once. One that has failed before needs time.
        if (attempts >= split.locations().size()) {
            try {
                Thread.sleep(PAUSE_MILLIS * attempts);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failure(status, error);
            }
        }
    }

    /** Returns the error that a daemon or server has sent, or what the transport says. */
    public static ReadException failure(CallStatus status, Throwable cause) {
        return failure(status, cause, "rows of a split cannot be read");
    }

    /** @param what has not worked, where the error is the transport's */
    static ReadException failure(CallStatus status, Throwable cause, String what) {
        ErrorFlightMetadata metadata = status.metadata();
        if (metadata != null && metadata.containsKey(FAILURE)) {
            return ReadException.decode(metadata.getByte(FAILURE), cause);
        }
        ReadErrorCode code = switch (status.code()) {
            case UNAUTHENTICATED, UNAUTHORIZED -> ReadErrorCode.ACCESS_DENIED;
            case UNIMPLEMENTED -> ReadErrorCode.NOT_SUPPORTED;
            case RESOURCE_EXHAUSTED -> ReadErrorCode.QUEUE_FULL;
            default -> ReadErrorCode.DAEMON_LOST;
        };
        return new ReadException(code, what + ": " + status.description(), cause);
    }

    private void release() {
        VectorSchemaRoot part = rest;
        rest = null;
        if (part != null) {
            part.close();
        }
    }

    private void disconnect() {
        release();
        FlightStream open = stream;
        stream = null;
        FlightClient connected = client;
        client = null;
        try {
            if (open != null) {
                open.cancel("the reader has ended", null);
                open.close();
            }
        } catch (Exception e) {
            System.getLogger(SplitRows.class.getName())
                    .log(System.Logger.Level.DEBUG, "the stream of a lost daemon", e);
        }
        try {
            if (connected != null) {
                connected.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the read, also in the daemon. */
    @Override
    public void close() {
        disconnect();
    }
}
