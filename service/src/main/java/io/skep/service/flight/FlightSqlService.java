package io.skep.service.flight;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.server.arrow.FlightErrors;
import io.skep.llap.server.external.ExternalPort;
import io.skep.llap.server.external.FlightPort;
import io.skep.llap.server.external.FragmentReads;
import io.skep.llap.server.external.ReadLog;
import io.skep.reader.ExternalSplit;
import io.skep.reader.FlightSplits;
import io.skep.reader.QuerySplits;
import io.skep.reader.SplitRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.NoOpFlightSqlProducer;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Flight SQL for queries. A query's endpoints are the splits that {@code get_llap_splits} makes, in a session of the
 * user, so that all checks and limits of statements hold. A prepared statement is its text: nothing is kept for it.
 */
final class FlightSqlService extends NoOpFlightSqlProducer {
    /** Parts of one daemon's files; a reader may read them side by side. */
    private static final int MAX_ENDPOINTS = 32;

    private final ExternalSplits made;
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
            StatementReads statements,
            PartStreams parts,
            Optional<FragmentReads> fragments,
            ReadLog log) {
        this.parts = parts;
        this.log = log;
        this.made = made;
        this.statements = statements;
        this.fragments = fragments;
    }

    @Override
    public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
        return failing(descriptor, () -> super.getFlightInfo(context, descriptor));
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
                    ? FlightErrors.of(new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, name(descriptor) + " of Flight SQL is not supported yet"))
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
        return info(command.getQuery(), descriptor);
    }

    @Override
    public SchemaResult getSchemaStatement(
            FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        return new SchemaResult(splits(command.getQuery(), 0).schema());
    }

    @Override
    public void createPreparedStatement(
            FlightSql.ActionCreatePreparedStatementRequest request,
            CallContext context,
            StreamListener<Result> listener) {
        try {
            Schema schema = splits(request.getQuery(), 0).schema();
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
        return () -> listener.onError(FlightErrors.of(new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "this port answers queries, not statements that change something")
                .withHint("send them over JDBC")));
    }

    @Override
    public void listFlights(CallContext context, Criteria criteria, StreamListener<FlightInfo> listener) {
        listener.onCompleted();
    }

    private QuerySplits splits(String query, int count) {
        List<ExternalSplit> splits = new ArrayList<>();
        for (Batch batch : statements.small(FlightLogin.client(), QuerySplits.statement(query, count))) {
            BytesVector bytes = (BytesVector) batch.column(1).flatten();
            for (int row = 0; row < batch.rowCount(); row++) {
                splits.add(ExternalSplit.decode(bytes.bytes(row)));
            }
        }
        return QuerySplits.of(splits);
    }

    private FlightInfo info(String query, FlightDescriptor descriptor) {
        QuerySplits splits = splits(query, MAX_ENDPOINTS);
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
