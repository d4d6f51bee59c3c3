package io.skep.service.flight;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.server.arrow.ArrowTypes;
import io.skep.llap.server.arrow.FlightErrors;
import io.skep.llap.server.external.ExternalPort;
import io.skep.llap.server.external.ExternalStreams;
import io.skep.llap.server.external.FlightPort;
import io.skep.llap.server.external.FragmentReads;
import io.skep.llap.server.external.ReadLog;
import io.skep.ql.ResultSchema;
import io.skep.ql.external.ExternalQuery;
import io.skep.reader.ExternalSplit;
import io.skep.reader.FlightSplits;
import io.skep.reader.QuerySplits;
import io.skep.reader.SplitRows;
import io.skep.service.session.ClientSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.ActionType;
import org.apache.arrow.flight.CloseSessionRequest;
import org.apache.arrow.flight.CloseSessionResult;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightConstants;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.GetSessionOptionsRequest;
import org.apache.arrow.flight.GetSessionOptionsResult;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.SetSessionOptionsRequest;
import org.apache.arrow.flight.SetSessionOptionsResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.FlightSqlUtils;
import org.apache.arrow.flight.sql.NoOpFlightSqlProducer;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Flight SQL. A query's endpoints are the splits that {@code get_llap_splits} makes, in a session of the user, so that
 * all checks and limits of statements hold. Other statements with rows are one endpoint, read from this server. A
 * statement without rows runs when it is asked for, whether as an update or as a query. A prepared statement is its
 * text: nothing is kept for it.
 */
final class FlightSqlService extends NoOpFlightSqlProducer {
    /** Parts of one daemon's files; a reader may read them side by side. */
    private static final int MAX_ENDPOINTS = 32;

    private static final List<ActionType> ACTIONS = List.of(
            FlightSqlUtils.FLIGHT_SQL_CREATE_PREPARED_STATEMENT,
            FlightSqlUtils.FLIGHT_SQL_CLOSE_PREPARED_STATEMENT,
            FlightConstants.SET_SESSION_OPTIONS,
            FlightConstants.GET_SESSION_OPTIONS,
            FlightConstants.CLOSE_SESSION);

    private static final Schema NO_COLUMNS = new Schema(List.of());

    private final ExternalSplits made;
    private final FlightSessions sessions;
    private final SessionOptions options;
    private final FlightUpdates updates;
    private final FlightMetadata metadata;
    private final BufferAllocator memory;
    private final StatementReads statements;
    private final PartStreams parts;
    private final Optional<FragmentReads> fragments;
    private final ReadLog log;

    /**
     * @param parts takes what programs write with a ticket
     * @param fragments runs parts of scans, if a daemon is in this process
     * @param log takes a line for each ticket that is refused
     */
    FlightSqlService(
            ExternalSplits made,
            FlightSessions sessions,
            StatementReads statements,
            PartStreams parts,
            FlightMetadata metadata,
            ExternalStreams streams,
            Optional<FragmentReads> fragments,
            ReadLog log) {
        this.parts = parts;
        this.log = log;
        this.made = made;
        this.sessions = sessions;
        this.options = new SessionOptions(sessions);
        this.updates = new FlightUpdates(sessions);
        this.metadata = metadata;
        this.memory = streams.allocator();
        this.statements = statements;
        this.fragments = fragments;
    }

    @Override
    public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
        return failing(
                descriptor, () -> metadata.info(descriptor).orElseGet(() -> super.getFlightInfo(context, descriptor)));
    }

    @Override
    public SchemaResult getSchema(CallContext context, FlightDescriptor descriptor) {
        return failing(descriptor, () -> super.getSchema(context, descriptor));
    }

    private interface Call<T> {
        T get();
    }

    /** Converts Skep's errors to those of Flight, and names a command that is not supported. */
    private static <T> T failing(FlightDescriptor descriptor, Call<T> call) {
        try {
            return call.get();
        } catch (SkepException e) {
            throw FlightErrors.of(e);
        } catch (FlightRuntimeException e) {
            boolean ofLibrary =
                    e.status().metadata() == null || !e.status().metadata().containsKey(SplitRows.FAILURE);
            throw ofLibrary && e.status().code() == FlightStatusCode.UNIMPLEMENTED
                    ? FlightErrors.of(UnsupportedActions.error(name(descriptor)))
                    : e;
        }
    }

    private static String name(FlightDescriptor descriptor) {
        try {
            String type = Any.parseFrom(descriptor.getCommand()).getTypeUrl();
            return type.substring(type.lastIndexOf('.') + 1);
        } catch (InvalidProtocolBufferException e) {
            return "a command";
        }
    }

    @Override
    public FlightInfo getFlightInfoStatement(
            FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        checkNoTransaction(command.getTransactionId());
        return info(command.getQuery(), descriptor);
    }

    @Override
    public SchemaResult getSchemaStatement(
            FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        checkNoTransaction(command.getTransactionId());
        return new SchemaResult(schema(command.getQuery()));
    }

    @Override
    public SchemaResult getSchemaPreparedStatement(
            FlightSql.CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        return new SchemaResult(schema(command.getPreparedStatementHandle().toStringUtf8()));
    }

    private static void checkNoTransaction(ByteString transaction) {
        if (!transaction.isEmpty()) {
            throw UnsupportedActions.transaction();
        }
    }

    @Override
    public void createPreparedStatement(
            FlightSql.ActionCreatePreparedStatementRequest request,
            CallContext context,
            StreamListener<Result> listener) {
        try {
            checkNoTransaction(request.getTransactionId());
            Schema schema = schema(request.getQuery());
            answer(
                    listener,
                    FlightSql.ActionCreatePreparedStatementResult.newBuilder()
                            .setPreparedStatementHandle(request.getQueryBytes())
                            .setDatasetSchema(ByteString.copyFrom(schema.serializeAsMessage()))
                            .build());
        } catch (SkepException e) {
            listener.onError(FlightErrors.of(e));
        }
    }

    private static void answer(StreamListener<Result> listener, Message message) {
        listener.onNext(new Result(Any.pack(message).toByteArray()));
        listener.onCompleted();
    }

    @Override
    public FlightInfo getFlightInfoPreparedStatement(
            FlightSql.CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        return info(command.getPreparedStatementHandle().toStringUtf8(), descriptor);
    }

    @Override
    public void closePreparedStatement(
            FlightSql.ActionClosePreparedStatementRequest request,
            CallContext context,
            StreamListener<Result> listener) {
        listener.onCompleted();
    }

    @Override
    public Runnable acceptPut(CallContext context, FlightStream rows, StreamListener<PutResult> listener) {
        return WriteGate.ticket()
                .map(ticket -> parts.accept(ticket, FlightLogin.known(), rows, listener))
                .orElseGet(() -> super.acceptPut(context, rows, listener));
    }

    @Override
    public Runnable acceptPutStatement(
            FlightSql.CommandStatementUpdate command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> listener) {
        return () -> answer(listener, () -> {
            checkNoTransaction(command.getTransactionId());
            return updates.run(FlightLogin.client(), command.getQuery());
        });
    }

    @Override
    public Runnable acceptPutPreparedStatementUpdate(
            FlightSql.CommandPreparedStatementUpdate command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> listener) {
        return () -> answer(listener, () -> {
            checkNoParameters(stream);
            return updates.run(
                    FlightLogin.client(), command.getPreparedStatementHandle().toStringUtf8());
        });
    }

    @Override
    public Runnable acceptPutPreparedStatementQuery(
            FlightSql.CommandPreparedStatementQuery command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> listener) {
        return () -> {
            try {
                checkNoParameters(stream);
                listener.onCompleted();
            } catch (SkepException e) {
                listener.onError(FlightErrors.of(e));
            }
        };
    }

    private static void checkNoParameters(FlightStream stream) {
        if (!stream.getSchema().getFields().isEmpty()) {
            throw UnsupportedActions.parameters();
        }
    }

    /** Answers with the number of rows that a statement has written. */
    private void answer(StreamListener<PutResult> listener, Call<Long> update) {
        byte[] result;
        try {
            result = FlightSql.DoPutUpdateResult.newBuilder()
                    .setRecordCount(update.get())
                    .build()
                    .toByteArray();
        } catch (RuntimeException e) {
            listener.onError(FlightErrors.of(e));
            return;
        }
        try (ArrowBuf buffer = memory.buffer(result.length)) {
            buffer.writeBytes(result);
            listener.onNext(PutResult.metadata(buffer));
        }
        listener.onCompleted();
    }

    @Override
    public Runnable acceptPutStatementBulkIngest(
            FlightSql.CommandStatementIngest command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> listener) {
        return () -> listener.onError(FlightErrors.of(
                UnsupportedActions.error("CommandStatementIngest").withHint("send INSERT statements")));
    }

    @Override
    public Runnable acceptPutSubstraitPlan(
            FlightSql.CommandStatementSubstraitPlan command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> listener) {
        return () -> listener.onError(FlightErrors.of(UnsupportedActions.error("CommandStatementSubstraitPlan")));
    }

    @Override
    public void doAction(CallContext context, Action action, StreamListener<Result> listener) {
        Optional<SkepException> refusal = UnsupportedActions.of(action.getType());
        if (refusal.isPresent()) {
            listener.onError(FlightErrors.of(refusal.get()));
        } else {
            super.doAction(context, action, listener);
        }
    }

    @Override
    public void listActions(CallContext context, StreamListener<ActionType> listener) {
        ACTIONS.forEach(listener::onNext);
        listener.onCompleted();
    }

    @Override
    public void setSessionOptions(
            SetSessionOptionsRequest request, CallContext context, StreamListener<SetSessionOptionsResult> listener) {
        answerAction(listener, () -> options.set(FlightLogin.client(), request.getSessionOptions()));
    }

    @Override
    public void getSessionOptions(
            GetSessionOptionsRequest request, CallContext context, StreamListener<GetSessionOptionsResult> listener) {
        answerAction(listener, () -> options.get(FlightLogin.client()));
    }

    @Override
    public void closeSession(
            CloseSessionRequest request, CallContext context, StreamListener<CloseSessionResult> listener) {
        answerAction(listener, () -> options.close(FlightLogin.client()));
    }

    private static <T> void answerAction(StreamListener<T> listener, Call<T> call) {
        T answer;
        try {
            answer = call.get();
        } catch (RuntimeException e) {
            listener.onError(FlightErrors.of(e));
            return;
        }
        listener.onNext(answer);
        listener.onCompleted();
    }

    @Override
    public void listFlights(CallContext context, Criteria criteria, StreamListener<FlightInfo> listener) {
        listener.onCompleted();
    }

    private static QuerySplits splits(ClientSession session, String query, int count) {
        List<ExternalSplit> splits = new ArrayList<>();
        for (Batch batch : StatementReads.small(session, QuerySplits.statement(query, count))) {
            BytesVector bytes = (BytesVector) batch.column(1).flatten();
            for (int row = 0; row < batch.rowCount(); row++) {
                splits.add(ExternalSplit.decode(bytes.bytes(row)));
            }
        }
        return QuerySplits.of(splits);
    }

    /** Returns the columns of a statement's rows; none for a statement without rows. */
    private Schema schema(String text) {
        try (FlightSessions.Lease lease = sessions.toRead(FlightLogin.client())) {
            ClientSession session = lease.session();
            return session.isQuery(text)
                    ? splits(session, text, 0).schema()
                    : session.describe(text)
                            .rows()
                            .map(rows -> ArrowTypes.schema(names(rows), types(rows)))
                            .orElse(NO_COLUMNS);
        }
    }

    private static List<String> names(ResultSchema rows) {
        return rows.columns().stream().map(ResultSchema.ResultColumn::name).toList();
    }

    private static List<SqlType> types(ResultSchema rows) {
        return rows.columns().stream().map(ResultSchema.ResultColumn::type).toList();
    }

    private FlightInfo info(String text, FlightDescriptor descriptor) {
        FlightLogin.Client client = FlightLogin.client();
        try (FlightSessions.Lease lease = sessions.toRead(client)) {
            ClientSession session = lease.session();
            if (session.isQuery(text)) {
                return info(splits(session, text, MAX_ENDPOINTS), descriptor);
            }
            ClientSession.Described described = session.describe(text);
            Optional<ResultSchema> rows = described.rows();
            if (rows.isPresent()) {
                ExternalSplit split = made.ofStatement(new ExternalQuery(
                        described.query(),
                        client.user(),
                        names(rows.get()),
                        types(rows.get()),
                        Optional.empty(),
                        false,
                        session.sql().external(text)));
                return info(QuerySplits.of(List.of(split)), descriptor);
            }
        }
        if (client.reads()) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the statement is no query")
                    .withHint("a reader takes the text of a query; send statements that change something over JDBC");
        }
        updates.run(client, text);
        return new FlightInfo(NO_COLUMNS, descriptor, List.of(), -1, -1);
    }

    private FlightInfo info(QuerySplits splits, FlightDescriptor descriptor) {
        List<FlightEndpoint> endpoints =
                splits.splits().stream().map(this::endpoint).toList();
        return new FlightInfo(splits.schema(), descriptor, endpoints, -1, -1);
    }

    /** An endpoint without a location is read over the connection that has asked for it. */
    private FlightEndpoint endpoint(ExternalSplit split) {
        Location[] locations = made.isHere(split)
                ? new Location[0]
                : split.locations().stream().map(Location::new).toArray(Location[]::new);
        FlightEndpoint.Builder endpoint = FlightEndpoint.builder(new Ticket(split.ticket()), locations);
        return (split.repeatable() ? endpoint.setAppMetadata(FlightSplits.repeatable()) : endpoint).build();
    }

    @Override
    public void getStream(
            FlightProducer.CallContext context, Ticket bytes, FlightProducer.ServerStreamListener listener) {
        try {
            if (FlightLogin.known().isPresent() && metadata.start(FlightLogin.client(), bytes, listener)) {
                return;
            }
            ReadTicket ticket = ExternalPort.verified(made.tickets(), bytes, log);
            switch (ticket.work()) {
                case ReadTicket.Statement statement ->
                    statements.start(ticket, statement, FlightPort.address(), listener);
                case ReadTicket.Fragment fragment ->
                    fragments
                            .orElseThrow(() -> new SkepException(
                                    StandardErrorCode.NOT_SUPPORTED,
                                    "this ticket is read from a daemon, not from the server"))
                            .start(ticket, fragment, FlightPort.address(), listener);
            }
        } catch (RuntimeException e) {
            listener.error(FlightErrors.of(e));
        }
    }

    /** It holds nothing. */
    @Override
    public void close() {}
}
