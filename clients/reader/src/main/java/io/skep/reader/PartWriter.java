package io.skep.reader;

import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.SyncPutListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * Sends one part of a write. A part that is not finished leaves nothing in the server, and is not repeated by itself:
 * the program sends it again with another writer, and names at the end of the write those parts that count. Used by one
 * thread.
 */
public final class PartWriter implements AutoCloseable {
    /** The largest message that a server takes. */
    public static final int MAX_MESSAGE_BYTES = 1 << 20;

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long MAX_PAUSE_MILLIS = 5000;
    private static final long MAX_WAIT_NANOS = TimeUnit.MINUTES.toNanos(30);
    private static final long LOOK_MILLIS = 1;

    private final ExternalWrite write;
    private final BufferAllocator memory;
    private final VectorSchemaRoot root;
    private final FlightClient client;
    private @Nullable Call call;
    private long rows;

    /** A call that the server has admitted. */
    private record Call(FlightClient.ClientStreamListener stream, SyncPutListener answers) {}

    /**
     * @param root the rows of the next batch, with the schema of the write; stays the caller's
     * @param memory for messages; stays the caller's
     */
    public PartWriter(ExternalWrite write, VectorSchemaRoot root, ExternalReader connections, BufferAllocator memory) {
        this.write = write;
        this.memory = memory;
        this.root = root;
        this.client = connections.connect(write.location());
    }

    /**
     * Sends the rows of the root. Blocks while the server does not take them; one that has no room is asked again.
     *
     * @throws ReadException what the server has said
     */
    public void send() {
        long bytes = root.getFieldVectors().stream()
                .mapToLong(FieldVector::getBufferSize)
                .sum();
        if (bytes > MAX_MESSAGE_BYTES) {
            throw new ReadException(
                    ReadErrorCode.NOT_SUPPORTED,
                    "a batch of " + root.getRowCount() + " rows has " + bytes + " bytes, and a server takes "
                            + MAX_MESSAGE_BYTES + "; a longer row is written over JDBC");
        }
        Call open = call == null ? connected() : call;
        call = open;
        awaitRoom(open);
        open.stream().putNext();
        rows += root.getRowCount();
    }

    /**
     * Ends the part.
     *
     * @return the part, which has all rows that were sent
     * @throws ReadException what the server has said
     */
    public ExternalWrite.Part finish() {
        Call open = call == null ? connected() : call;
        call = open;
        awaitRoom(open);
        ArrowBuf claim = memory.buffer(Long.BYTES);
        claim.writeLong(rows);
        open.stream().putMetadata(claim);
        open.stream().completed();
        ExternalWrite.Part part = answer(open);
        if (part.rows() != rows) {
            throw new ReadException(
                    ReadErrorCode.DAMAGED_MESSAGE,
                    "the server has got " + part.rows() + " rows of the " + rows + " that were sent");
        }
        return part;
    }

    private Call connected() {
        long deadline = System.nanoTime() + MAX_WAIT_NANOS;
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, MAX_PAUSE_MILLIS)) {
            Call made = begun();
            try {
                answer(made);
                return made;
            } catch (ReadException e) {
                made.answers().close();
                boolean full = e.code().equals(ReadErrorCode.QUEUE_FULL.name());
                if (!full || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            sleep(pause);
        }
    }

    private Call begun() {
        FlightCallHeaders headers = new FlightCallHeaders();
        headers.insert(ExternalWrite.HEADER, write.ticket());
        SyncPutListener answers = new SyncPutListener();
        FlightClient.ClientStreamListener stream =
                client.startPut(FlightDescriptor.path("part"), root, answers, new HeaderCallOption(headers));
        return new Call(stream, answers);
    }

    /** Returns the next answer of the server. */
    private static ExternalWrite.Part answer(Call open) {
        try (PutResult result = open.answers().read()) {
            if (result == null) {
                throw new ReadException(ReadErrorCode.DAEMON_LOST, "the server has ended a part without an answer");
            }
            ArrowBuf metadata = result.getApplicationMetadata();
            ByteBuffer bytes =
                    metadata == null ? ByteBuffer.allocate(0) : metadata.nioBuffer(0, (int) metadata.readableBytes());
            byte[] copied = new byte[bytes.remaining()];
            bytes.get(copied);
            return ExternalWrite.Part.decode(copied);
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static ReadException failure(Throwable error) {
        String what = "a part cannot be sent";
        return error instanceof FlightRuntimeException refused
                ? SplitRows.failure(refused.status(), refused, what)
                : new ReadException(ReadErrorCode.DAEMON_LOST, what + ": " + error, error);
    }

    /** Waits without a busy loop, which the library's own wait is. */
    private static void awaitRoom(Call open) {
        while (!open.stream().isReady()) {
            if (open.answers().isCancelled()) {
                answer(open);
                throw new ReadException(ReadErrorCode.DAEMON_LOST, "the server has ended a part too early");
            }
            sleep(LOOK_MILLIS);
        }
        if (open.answers().isCancelled()) {
            answer(open);
            throw new ReadException(ReadErrorCode.DAEMON_LOST, "the server has ended a part too early");
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static ReadException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new ReadException(ReadErrorCode.OPERATION_CANCELED, "the writer was interrupted", cause);
    }

    /** Ends the part, also in the server; one that is not finished is given up there. */
    @Override
    public void close() {
        Call open = call;
        call = null;
        if (open != null && !open.answers().isCancelled()) {
            open.stream().error(new IllegalStateException("the part is given up"));
        }
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (open != null) {
            open.answers().close();
        }
    }
}
