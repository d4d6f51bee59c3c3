package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.server.arrow.ArrowStream;
import io.skep.llap.server.arrow.ArrowTypes;
import io.skep.llap.server.external.ExternalStreams;
import io.skep.ql.ResultSchema;
import io.skep.service.authentication.Transport;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import io.skep.service.session.SessionClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.arrow.flight.FlightProducer;

/**
 * Runs the statements of tickets in this server, each in a session of its own that ends with the read. Every check is
 * made again, for the ticket's user. Thread-safe.
 */
final class StatementReads {
    private static final int ROWS = Batch.TARGET_ROWS;
    private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

    /** Each wait for rows has its own thread, which holds no other one back. */
    private static final Executor WAITS =
            work -> Thread.ofVirtual().name("flight-rows").start(work);

    private final ClientSessions sessions;
    private final ExternalStreams streams;

    StatementReads(ClientSessions sessions, ExternalStreams streams) {
        this.sessions = sessions;
        this.streams = streams;
    }

    /** Compiles the statement and starts it. */
    void start(
            ReadTicket ticket,
            ReadTicket.Statement work,
            String address,
            FlightProducer.ServerStreamListener listener) {
        streams.begin(end -> {
            ClientSession session = sessions.open(client(ticket.user(), address), work.settings());
            Runnable over = () -> {
                end.run();
                WAITS.execute(() -> sessions.close(session.id()));
            };
            try {
                session.sql().useDatabase(work.database());
                Operation operation = session.execute(work.text(), true);
                List<SqlType> types = operation.schema().stream()
                        .flatMap(schema -> schema.columns().stream())
                        .map(ResultSchema.ResultColumn::type)
                        .toList();
                if (types.size() != work.columns().size()) {
                    throw new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "the query has other columns than when the split was made");
                }
                return new ArrowStream(
                        new Rows(operation), ArrowTypes.schema(work.columns(), types), types, listener, streams, over);
            } catch (RuntimeException | Error e) {
                over.run();
                throw e;
            }
        });
    }

    private static SessionClient client(String user, String address) {
        return new SessionClient(user, user, address, Transport.FLIGHT, false);
    }

    /** Returns the rows of a statement of a user, which are few. */
    List<Batch> small(FlightLogin.Client client, String text) {
        ClientSession session = sessions.open(client(client.user(), client.address()), Map.of());
        try {
            Operation operation = session.execute(text, false);
            List<Batch> rows = new ArrayList<>();
            ResultPage page = operation.fetch(ROWS);
            rows.addAll(page.batches());
            while (page.hasMore()) {
                page = operation.fetch(ROWS);
                rows.addAll(page.batches());
            }
            return rows;
        } finally {
            sessions.close(session.id());
        }
    }

    /** The rows of an operation. One call at a time. */
    private static final class Rows implements PageStream {
        private final Operation operation;
        private final Queue<Batch> read = new ArrayDeque<>();
        private boolean last;

        Rows(Operation operation) {
            this.operation = operation;
        }

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            Batch ready = read.poll();
            return ready != null
                    ? CompletableFuture.completedFuture(Optional.of(ready))
                    : CompletableFuture.supplyAsync(this::fetch, WAITS);
        }

        private Optional<Batch> fetch() {
            operation.await(FOREVER);
            while (read.isEmpty() && !last) {
                ResultPage page = operation.fetch(ROWS);
                read.addAll(page.batches());
                last = !page.hasMore();
            }
            return Optional.ofNullable(read.poll());
        }

        @Override
        public void close() {
            operation.cancel("the reader has ended");
        }
    }
}
