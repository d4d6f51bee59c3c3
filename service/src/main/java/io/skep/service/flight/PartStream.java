package io.skep.service.flight;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.llap.server.arrow.ArrowBatches;
import io.skep.llap.server.arrow.FlightErrors;
import io.skep.reader.ExternalWrite;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a part and writes its rows to files, on a thread of its own, which waits for the sender without an executor.
 * The sender is answered first when rows may come, and then when the files are closed. The last message has the number
 * of rows that were sent, so that a stream which is cut is never taken for a whole one.
 */
final class PartStream {
    private static final Logger LOG = LoggerFactory.getLogger(PartStream.class);

    /** A file with that much in memory is closed, and the next one begun. */
    private static final long MAX_BUFFERED_BYTES = 16L << 20;

    private final PartWrite write;
    private final FlightStream rows;
    private final FlightProducer.StreamListener<PutResult> listener;
    private final BufferAllocator memory;
    private final Semaphore processors;
    private final List<WrittenFile> files = new ArrayList<>();
    private @Nullable PageSink sink;
    private long number;
    private long count;

    @GuardedBy("this")
    private @Nullable Thread receiver;

    @GuardedBy("this")
    private @Nullable SkepException failure;

    /** When the receiver began to wait for the sender; 0 while it does not. */
    @GuardedBy("this")
    private long waitsSince;

    /**
     * @param memory for answers
     * @param processors taken while rows are converted and written, so that many streams do not take all of them
     */
    PartStream(
            PartWrite write,
            FlightStream rows,
            FlightProducer.StreamListener<PutResult> listener,
            BufferAllocator memory,
            Semaphore processors) {
        this.write = write;
        this.rows = rows;
        this.listener = listener;
        this.memory = memory;
        this.processors = processors;
    }

    /** Receives the part. Returns when it has ended, whether with an error or not. */
    void run() {
        synchronized (this) {
            receiver = Thread.currentThread();
        }
        try {
            number = write.begin(this);
            receive();
            write.arrived(number, files);
            answer(new ExternalWrite.Part(number, count));
            listener.onCompleted();
        } catch (Exception | Error e) {
            discard();
            listener.onError(error(e));
        } finally {
            synchronized (this) {
                receiver = null;
            }
            write.end(this);
        }
    }

    private void receive() throws InterruptedException {
        requireSame(waiting(rows::getSchema));
        answer(new ExternalWrite.Part(0, 0));
        while (next()) {
            ArrowBuf claim = rows.getLatestMetadata();
            if (claim != null) {
                end(claim);
                return;
            }
            append();
        }
        throw new SkepException(
                StandardErrorCode.DAMAGED_MESSAGE, "the part has ended without the number of rows that were sent");
    }

    /** Names, types and their order count. Whether a field may be null does not: Arrow's libraries differ there. */
    private void requireSame(Schema sent) {
        if (!ArrowForm.of(sent).equals(ArrowForm.of(write.schema()))) {
            throw new SkepException(
                    StandardErrorCode.TYPE_MISMATCH,
                    "the rows have the columns " + sent.getFields() + ", and the table "
                            + write.schema().getFields());
        }
    }

    private boolean next() {
        return waiting(rows::next);
    }

    private <T> T waiting(Supplier<T> call) {
        synchronized (this) {
            waitsSince = System.nanoTime() | 1;
        }
        try {
            return call.get();
        } finally {
            synchronized (this) {
                waitsSince = 0;
            }
            requireGoing();
        }
    }

    private synchronized void requireGoing() {
        if (failure != null) {
            throw failure;
        }
    }

    private void append() throws InterruptedException {
        processors.acquire();
        try {
            Batch batch = ArrowBatches.read(rows.getRoot(), write.types());
            count += batch.rowCount();
            if (batch.rowCount() > 0) {
                PageSink file = sink == null ? write.create(number + "-" + files.size()) : sink;
                sink = file;
                file.append(batch);
                if (file.bufferedBytes() > MAX_BUFFERED_BYTES) {
                    finishFile();
                }
            }
        } finally {
            processors.release();
        }
    }

    private void finishFile() {
        PageSink file = sink;
        if (file != null) {
            // One that fails deletes its file.
            sink = null;
            files.add(file.finish());
        }
    }

    private void end(ArrowBuf claim) throws InterruptedException {
        long sent = claim.readableBytes() == Long.BYTES ? claim.getLong(claim.readerIndex()) : -1;
        if (sent != count) {
            throw new SkepException(
                    StandardErrorCode.DAMAGED_MESSAGE,
                    count + " rows have arrived, and the sender says that it has sent " + sent);
        }
        if (next()) {
            throw new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "rows follow the end of a part");
        }
        processors.acquire();
        try {
            finishFile();
        } finally {
            processors.release();
        }
    }

    private void answer(ExternalWrite.Part part) {
        byte[] bytes = part.encode();
        ArrowBuf metadata = memory.buffer(Math.max(1, bytes.length));
        metadata.writeBytes(bytes);
        try (PutResult result = PutResult.metadata(metadata)) {
            listener.onNext(result);
        }
    }

    private void discard() {
        // The interrupt has ended the stream, and must not keep its file.
        Thread.interrupted();
        PageSink file = sink;
        sink = null;
        try {
            if (file != null) {
                file.abort();
            }
        } catch (RuntimeException e) {
            LOG.warn("A file of an unfinished part stays in {} until its session ends", write.folder(), e);
        }
    }

    private FlightRuntimeException error(Throwable error) {
        SkepException why;
        synchronized (this) {
            why = failure;
        }
        if (why != null) {
            return FlightErrors.of(why);
        }
        if (error instanceof OutOfMemoryException) {
            return FlightErrors.of(new SkepException(
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                            "there is no memory for rows of external writers: " + error.getMessage(),
                            error)
                    .withHint("raise skep.llap.external.max-memory"));
        }
        return error instanceof FlightRuntimeException known ? known : FlightErrors.of(error);
    }

    /** Ends the stream with an error. */
    synchronized void fail(SkepException reason) {
        failure = failure == null ? reason : failure;
        Thread waiting = receiver;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    /** Ends the stream when nothing has come for this time. */
    void endIfIdle(Duration patience) {
        boolean idle;
        synchronized (this) {
            idle = waitsSince != 0 && System.nanoTime() - waitsSince >= patience.toNanos();
        }
        if (idle) {
            fail(new SkepException(
                    StandardErrorCode.TIME_LIMIT_EXCEEDED,
                    "The writer has sent no rows for " + patience.toSeconds() + " seconds"));
        }
    }
}
