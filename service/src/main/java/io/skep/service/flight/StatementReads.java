package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.server.arrow.ArrowStream;
import io.skep.llap.server.arrow.ArrowTypes;
import io.skep.llap.server.external.ExternalStreams;
import io.skep.ql.ResultSchema;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.FlightProducer;

/**
 * Runs the statements of tickets in this server, each in a session of its own that ends with the read. Every check is
 * made again, for the ticket's user. Thread-safe.
 */
final class StatementReads {
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
            ClientSession session = sessions.open(FlightSessions.client(ticket.user(), address), work.settings());
            Runnable over = () -> {
                end.run();
                FlightSessions.ENDS.execute(() -> sessions.close(session.id()));
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
                        new OperationRows(operation),
                        ArrowTypes.schema(work.columns(), types),
                        types,
                        listener,
                        streams,
                        over);
            } catch (RuntimeException | Error e) {
                over.run();
                throw e;
            }
        });
    }

    /** Returns the rows of a statement in a session, which are few. */
    static List<Batch> small(ClientSession session, String text) {
        Operation operation = session.execute(text, false);
        try {
            List<Batch> rows = new ArrayList<>();
            ResultPage page;
            do {
                page = operation.fetch(OperationRows.ROWS);
                rows.addAll(page.batches());
            } while (page.hasMore());
            return rows;
        } finally {
            session.close(operation.id());
        }
    }
}
