package io.skep.service.flight;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import io.skep.llap.server.arrow.ArrowStream;
import io.skep.llap.server.external.ExternalStreams;
import io.skep.metastore.Catalog;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.service.session.ClientSession;
import io.skep.service.session.MetadataCall;
import io.skep.service.session.Operation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.arrow.flight.sql.impl.FlightSql;

/**
 * Flight SQL's metadata commands. A command is its own ticket, which is worth nothing without a login; its call runs
 * when the ticket is read. Thread-safe.
 */
final class FlightMetadata {
    private final FlightSessions sessions;
    private final MetadataAnswers answers;
    private final ExternalStreams streams;
    private final ServerSqlInfo info = new ServerSqlInfo();

    FlightMetadata(FlightSessions sessions, Catalog catalog, ExternalStreams streams) {
        this.sessions = sessions;
        this.answers = new MetadataAnswers(catalog);
        this.streams = streams;
    }

    /** Returns how a command's answer is read; empty for a command that is none of metadata. */
    Optional<FlightInfo> info(FlightDescriptor descriptor) {
        if (!descriptor.isCommand()) {
            return Optional.empty();
        }
        byte[] bytes = descriptor.getCommand();
        return command(bytes)
                .flatMap(command -> command.is(FlightSql.CommandGetSqlInfo.class)
                        ? Optional.of(Schemas.GET_SQL_INFO_SCHEMA)
                        : answers.of(command).map(MetadataAnswer::schema))
                .map(schema ->
                        new FlightInfo(schema, descriptor, List.of(new FlightEndpoint(new Ticket(bytes))), -1, -1));
    }

    private static Optional<Any> command(byte[] bytes) {
        try {
            return Optional.of(Any.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** Sends the answer if a ticket is a metadata command, and returns whether it is one. */
    boolean start(FlightLogin.Client client, Ticket ticket, FlightProducer.ServerStreamListener listener) {
        Optional<Any> command = command(ticket.getBytes());
        if (command.filter(any -> any.is(FlightSql.CommandGetSqlInfo.class)).isPresent()) {
            info.send(command.get(), streams.allocator(), listener);
            return true;
        }
        Optional<MetadataAnswer> answer = command.flatMap(answers::of);
        answer.ifPresent(known -> start(client, known, listener));
        return answer.isPresent();
    }

    private void start(FlightLogin.Client client, MetadataAnswer answer, FlightProducer.ServerStreamListener listener) {
        FlightSessions.Lease lease = sessions.toRead(client);
        try {
            ClientSession session = lease.session();
            Operation operation = session.execute(new MetadataCall(
                    answer.call(), answer.arguments(), () -> answer.statement().apply(session)));
            try {
                streams.begin(end -> stream(operation, answer, session, listener, () -> {
                    end.run();
                    FlightSessions.ENDS.execute(() -> session.close(operation.id()));
                    lease.close();
                }));
            } catch (RuntimeException | Error e) {
                session.close(operation.id());
                throw e;
            }
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    private ArrowStream stream(
            Operation operation,
            MetadataAnswer answer,
            ClientSession session,
            FlightProducer.ServerStreamListener listener,
            Runnable over) {
        Rows rows = new Rows(operation, answer, answer.rows().apply(session));
        return new ArrowStream(rows, answer.schema(), answer.types(), listener, streams, over);
    }

    /** The rows of an answer. One call at a time. Tables are looked up on threads that may wait. */
    private static final class Rows implements PageStream {
        private final OperationRows read;
        private final List<ResultColumn> columns;
        private final MetadataAnswer.Rows rows;
        private final List<SqlType> types;
        private volatile Optional<Batch> current = Optional.empty();
        private volatile int at;

        Rows(Operation operation, MetadataAnswer answer, MetadataAnswer.Rows rows) {
            this.read = new OperationRows(operation);
            this.columns = operation.schema().orElseThrow().columns();
            this.rows = rows;
            this.types = answer.types();
        }

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            CompletableFuture<Optional<Batch>> batch =
                    current.isPresent() ? CompletableFuture.completedFuture(current) : read.next();
            return batch.thenApplyAsync(known -> known.map(this::piece), OperationRows.WAITS);
        }

        private Batch piece(Batch batch) {
            MetadataAnswer.Piece piece = MetadataAnswer.convert(batch, at, columns, rows, types);
            boolean isLast = piece.next() >= batch.rowCount();
            at = isLast ? 0 : piece.next();
            current = isLast ? Optional.empty() : Optional.of(batch);
            return piece.rows();
        }

        @Override
        public void close() {
            read.close();
        }
    }
}
