package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.external.WriteTicket;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.arrow.FlightErrors;
import io.skep.llap.server.external.FlightPort;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.memory.BufferAllocator;

/** The parts that a server receives: how many at once, and their threads. Thread-safe. */
final class PartStreams implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final PartWrites writes;
    private final ExternalConfig config;
    private final WriteLog log;
    private final BufferAllocator memory;
    private final Semaphore permits;
    private final Semaphore processors =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors()));
    private final Set<PartStream> streams = ConcurrentHashMap.newKeySet();
    private final Future<?> looking;

    /**
     * @param memory for answers
     * @param threads whose timer looks for idle writers
     */
    PartStreams(PartWrites writes, ExternalConfig config, WriteLog log, BufferAllocator memory, RpcThreads threads) {
        this.writes = writes;
        this.config = config;
        this.log = log;
        this.memory = memory;
        this.permits = new Semaphore(config.maxWrites());
        this.looking = threads.every(LOOK_NANOS, () -> streams.forEach(stream -> stream.endIfIdle(config.patience())));
    }

    /**
     * Returns what receives a part.
     *
     * @param login the user that the call has logged in as, if it has
     */
    Runnable accept(
            WriteTicket ticket,
            Optional<String> login,
            FlightStream rows,
            FlightProducer.StreamListener<PutResult> listener) {
        String address = FlightPort.address();
        return () -> {
            PartWrite write;
            try {
                if (login.isPresent() && !login.get().equals(ticket.user())) {
                    throw new SkepException(StandardErrorCode.ACCESS_DENIED, "The ticket is one of another user");
                }
                write = writes.of(ticket);
            } catch (SkepException e) {
                log.recordRefusal(Optional.of(ticket), address, e);
                listener.onError(FlightErrors.of(e));
                return;
            }
            if (!permits.tryAcquire()) {
                // Not in the log: writers ask again until there is room.
                listener.onError(FlightErrors.of(full()));
                return;
            }
            try {
                log.record(Optional.of(ticket), address, Optional.empty());
                receive(new PartStream(write, rows, listener, memory, processors));
            } catch (SkepException e) {
                listener.onError(FlightErrors.of(e));
            } finally {
                permits.release();
            }
        };
    }

    private SkepException full() {
        return new SkepException(
                        StandardErrorCode.QUEUE_FULL,
                        "There are " + config.maxWrites() + " parts arriving at this server already")
                .withHint("try again later, or raise " + ExternalConfig.MAX_WRITES.name());
    }

    /** Waits for the stream's own thread: to write files takes a processor, which threads of calls must not. */
    private void receive(PartStream stream) {
        streams.add(stream);
        try {
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("external-part").start(() -> {
                try {
                    stream.run();
                } finally {
                    ended.complete(true);
                }
            });
            try {
                ended.get();
            } catch (InterruptedException e) {
                stream.fail(new SkepException(StandardErrorCode.DAEMON_LOST, "The server stops"));
                ended.join();
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a stream ends without an error of its own", e);
            }
        } finally {
            streams.remove(stream);
        }
    }

    /** The number of parts that are arriving. */
    int count() {
        return config.maxWrites() - permits.availablePermits();
    }

    @Override
    public void close() {
        looking.cancel(false);
        streams.forEach(stream -> stream.fail(new SkepException(StandardErrorCode.DAEMON_LOST, "The server stops")));
    }
}
