package io.skep.service.wire;

import static io.skep.service.wire.Handles.given;
import static io.skep.service.wire.ThriftStatus.attempt;

import io.skep.authentication.UserNames;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.QueryState;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditLog;
import io.skep.service.audit.AuditedClient;
import io.skep.service.authentication.ClientLogin;
import io.skep.service.authentication.ProxyUserRules;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import io.skep.service.session.SessionClient;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hive.service.rpc.thrift.TCancelOperationReq;
import org.apache.hive.service.rpc.thrift.TCancelOperationResp;
import org.apache.hive.service.rpc.thrift.TCloseOperationReq;
import org.apache.hive.service.rpc.thrift.TCloseOperationResp;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TCloseSessionResp;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementResp;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TFetchResultsResp;
import org.apache.hive.service.rpc.thrift.TGetInfoReq;
import org.apache.hive.service.rpc.thrift.TGetInfoResp;
import org.apache.hive.service.rpc.thrift.TGetInfoValue;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusReq;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusResp;
import org.apache.hive.service.rpc.thrift.TGetQueryIdReq;
import org.apache.hive.service.rpc.thrift.TGetQueryIdResp;
import org.apache.hive.service.rpc.thrift.TGetResultSetMetadataReq;
import org.apache.hive.service.rpc.thrift.TGetResultSetMetadataResp;
import org.apache.hive.service.rpc.thrift.THandleIdentifier;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionResp;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TOperationState;
import org.apache.hive.service.rpc.thrift.TOperationType;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TSetClientInfoReq;
import org.apache.hive.service.rpc.thrift.TSetClientInfoResp;
import org.apache.thrift.TApplicationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the calls of one connection, or the one of a request of the HTTP transport. Sessions that a connection opened
 * are closed with it, unless the settings disable that. A request is not closed. Owned by the thread of the connection
 * or request, which handles one call at a time.
 */
final class ClientConnection extends MetadataRequests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final TProtocolVersion NEWEST = TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V11;
    private static final int FIRST_WITH_COLUMNS = TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V6.getValue();
    private static final short RESULT_ROWS = 0;
    private static final short LOG_ROWS = 1;
    private static final String ANONYMOUS = "anonymous";
    private static final String PROXY_USER = "hive.server2.proxy.user";
    private static final String NULLS_LAST = "hive.default.nulls.last";

    private final ClientSessions sessions;
    private final AuditLog audit;
    private final ThriftConfig config;
    private final ProxyUserRules proxyUsers;
    private final ClientLogin login;
    private final AnswerAccount answers;
    private final Set<UUID> opened = ConcurrentHashMap.newKeySet();

    ClientConnection(WireServices services, ClientLogin login, AnswerAccount answers) {
        super(services, login);
        this.sessions = services.sessions();
        this.audit = services.audit();
        this.config = services.config();
        this.proxyUsers = services.authentication().proxyUsers();
        this.login = login;
        this.answers = answers;
    }

    @Override
    public TOpenSessionResp OpenSession(TOpenSessionReq request) {
        TProtocolVersion client = request.getClient_protocol();
        TProtocolVersion version = client == null || client.compareTo(NEWEST) > 0 ? NEWEST : client;
        TOpenSessionResp response = new TOpenSessionResp();
        response.setServerProtocolVersion(version);
        response.setStatus(ThriftStatus.attemptToOpen(() -> {
            Map<String, String> settings =
                    request.getConfiguration() == null ? Map.of() : new HashMap<>(request.getConfiguration());
            ClientSession session = open(request.getUsername(), version.getValue() < FIRST_WITH_COLUMNS, settings);
            opened.add(session.id());
            response.setSessionHandle(Handles.of(session));
            response.setConfiguration(Map.of(
                    ThriftConfig.DEFAULT_FETCH.name(),
                    Integer.toString(config.defaultFetchRows()),
                    ThriftConfig.MAX_FETCH.name(),
                    Integer.toString(config.maxFetchRows()),
                    NULLS_LAST,
                    session.sql().setting(NULLS_LAST).orElse("true")));
        }));
        return response;
    }

    /** Opens a session, with a line in the audit log, also when it is refused. */
    private ClientSession open(@Nullable String named, boolean byRow, Map<String, String> settings) {
        Optional<String> wanted = wantedUser(settings);
        Optional<String> claimed = login.user().or(() -> Optional.ofNullable(named));
        ClientSession session;
        try {
            String loggedIn = loginUser(named);
            String user = proxyUser(loggedIn, wanted);
            checkRoom();
            session = sessions.open(
                    new SessionClient(user, loggedIn, login.address(), login.transport(), byRow), settings);
        } catch (SkepException e) {
            audit.record(AuditEvent.session(
                    new AuditedClient(
                            login.transport(), login.address(), Optional.empty(), claimed, wanted.or(() -> claimed)),
                    Optional.of(e)));
            throw e;
        }
        try {
            audit.record(AuditEvent.session(session.audited(), Optional.empty()));
        } catch (SkepException e) {
            sessions.close(session.id());
            throw e;
        }
        return session;
    }

    /**
     * Returns the name that the client logged in with. The name in the request is used only when clients do not log in.
     */
    private String loginUser(@Nullable String named) {
        return login.user().orElseGet(() -> named == null || named.isEmpty() ? ANONYMOUS : UserNames.checked(named));
    }

    /** Takes the name of the user as whom the client wants to act from the settings. */
    private Optional<String> wantedUser(Map<String, String> settings) {
        Optional<String> wanted = login.actAs();
        for (String name : List.copyOf(settings.keySet())) {
            if (name.substring(name.lastIndexOf(':') + 1).equals(PROXY_USER)) {
                String value = Objects.requireNonNullElse(settings.remove(name), "");
                wanted = value.isEmpty() ? wanted : Optional.of(value);
            }
        }
        return wanted;
    }

    /** Returns the user as whom the client acts, if it may. */
    private String proxyUser(String loggedIn, Optional<String> wanted) {
        wanted.map(UserNames::checked).ifPresent(name -> proxyUsers.check(loggedIn, name, login.address()));
        return wanted.orElse(loggedIn);
    }

    private void checkRoom() {
        int most = config.maxSessionsPerConnection();
        if (opened.size() >= most && hasSessions() && opened.size() >= most) {
            throw new SkepException(
                    StandardErrorCode.QUEUE_FULL,
                    "the connection has " + opened.size() + " sessions open, as many as "
                            + ThriftConfig.MAX_SESSIONS_PER_CONNECTION.name() + " allows");
        }
    }

    /** Whether a session that this connection opened is still open. */
    boolean hasSessions() {
        opened.removeIf(id -> !sessions.isOpen(id));
        return !opened.isEmpty();
    }

    @Override
    public TCloseSessionResp CloseSession(TCloseSessionReq request) {
        return new TCloseSessionResp(attempt(() -> {
            UUID id = session(request.getSessionHandle()).id();
            opened.remove(id);
            sessions.close(id);
        }));
    }

    @Override
    public TGetInfoResp GetInfo(TGetInfoReq request) {
        TGetInfoResp response = new TGetInfoResp(ThriftStatus.ok(), TGetInfoValue.stringValue(""));
        response.setStatus(attempt(() -> {
            session(request.getSessionHandle());
            response.setInfoValue(ServerInfo.value(given(request.getInfoType(), "kind of information")));
        }));
        return response;
    }

    @Override
    public TExecuteStatementResp ExecuteStatement(TExecuteStatementReq request) {
        TExecuteStatementResp response = new TExecuteStatementResp();
        response.setStatus(attempt(() -> {
            ClientSession session = session(request.getSessionHandle());
            Duration timeout = Duration.ofSeconds(Math.max(0, request.getQueryTimeout()));
            Operation operation =
                    session.execute(given(request.getStatement(), "statement"), request.isRunAsync(), timeout);
            response.setOperationHandle(Handles.of(session, operation, TOperationType.EXECUTE_STATEMENT));
        }));
        return response;
    }

    @Override
    public TGetOperationStatusResp GetOperationStatus(TGetOperationStatusReq request) {
        TGetOperationStatusResp response = new TGetOperationStatusResp();
        response.setStatus(attempt(() -> {
            Operation operation = operation(request.getOperationHandle());
            operation.await(patience(operation));
            describe(operation, response);
            if (request.isGetProgressUpdate() && config.progress()) {
                response.setProgressUpdateResponse(Progress.of(operation));
            }
        }));
        return response;
    }

    /**
     * Returns how long a status call may wait: half a second, plus half a second for every ten seconds that the
     * operation has run. A client of a long operation can be notified later.
     */
    private Duration patience(Operation operation) {
        Duration patience = Duration.ofMillis(500).multipliedBy(operation.age().toSeconds() / 10 + 1);
        return patience.compareTo(config.longPoll()) < 0 ? patience : config.longPoll();
    }

    private static void describe(Operation operation, TGetOperationStatusResp response) {
        response.setOperationState(operation.isClosed() ? TOperationState.CLOSED_STATE : state(operation.state()));
        response.setHasResultSet(operation.schema().isPresent());
        operation.started().ifPresent(time -> response.setOperationStarted(time.toEpochMilli()));
        operation.completed().ifPresent(time -> response.setOperationCompleted(time.toEpochMilli()));
        operation.modifiedRows().ifPresent(response::setNumModifiedRows);
        operation.failure().ifPresent(failure -> {
            response.setErrorMessage(ErrorText.of(failure, ThriftStatus.COMPILING));
            response.setSqlState(failure.client().sqlState());
            response.setErrorCode(failure.client().number());
        });
    }

    private static TOperationState state(QueryState state) {
        return switch (state) {
            case RECEIVED, COMPILING, QUEUED -> TOperationState.PENDING_STATE;
            case LISTING, RUNNING, COMMITTING -> TOperationState.RUNNING_STATE;
            case STREAMING, FINISHED -> TOperationState.FINISHED_STATE;
            case FAILED -> TOperationState.ERROR_STATE;
            case TIMED_OUT -> TOperationState.TIMEDOUT_STATE;
            case CANCELLED -> TOperationState.CANCELED_STATE;
        };
    }

    @Override
    public TCancelOperationResp CancelOperation(TCancelOperationReq request) {
        return new TCancelOperationResp(
                attempt(() -> operation(request.getOperationHandle()).cancel("the query was cancelled by its user")));
    }

    @Override
    public TCloseOperationResp CloseOperation(TCloseOperationReq request) {
        return new TCloseOperationResp(attempt(() -> {
            UUID id = operation(request.getOperationHandle()).id();
            sessions.owner(id).ifPresent(session -> session.close(id));
        }));
    }

    @Override
    public TGetResultSetMetadataResp GetResultSetMetadata(TGetResultSetMetadataReq request) {
        TGetResultSetMetadataResp response = new TGetResultSetMetadataResp();
        response.setStatus(attempt(() -> {
            Operation operation = operation(request.getOperationHandle());
            response.setSchema(WireTypes.schema(operation
                    .described()
                    .orElseThrow(() ->
                            new SkepException(StandardErrorCode.INVALID_FETCH, "the statement has no result set"))));
        }));
        return response;
    }

    @Override
    public TFetchResultsResp FetchResults(TFetchResultsReq request) {
        TFetchResultsResp response = new TFetchResultsResp();
        response.setHasMoreRows(false);
        response.setStatus(attempt(() -> {
            Operation operation = operation(request.getOperationHandle());
            boolean byRow = sessions.owner(operation.id())
                    .map(session -> session.client().byRow())
                    .orElse(false);
            boolean fromStart = fromStart(given(request.getOrientation(), "direction"));
            int most = config.pageRows(request.getMaxRows());
            response.setResults(
                    switch (request.getFetchType()) {
                        case RESULT_ROWS -> {
                            ResultPage page = page(operation, most, fromStart);
                            response.setHasMoreRows(page.hasMore());
                            yield RowSets.of(page, zone(operation), byRow);
                        }
                        case LOG_ROWS ->
                            RowSets.ofLog(hasLog(operation) ? operation.logLines(most, fromStart) : List.of(), byRow);
                        default -> throw refused("the kind of rows " + request.getFetchType());
                    });
        }));
        return response;
    }

    /** A session can switch its logs off, but not on when the server has none. */
    private boolean hasLog(Operation operation) {
        return config.log()
                && !sessions.owner(operation.id())
                        .flatMap(session -> session.sql().setting(ThriftConfig.LOG.name()))
                        .orElse("")
                        .equalsIgnoreCase("false");
    }

    private static boolean fromStart(TFetchOrientation direction) {
        return switch (direction) {
            case FETCH_NEXT -> false;
            case FETCH_FIRST -> true;
            default -> throw refused("the direction " + direction);
        };
    }

    private ResultPage page(Operation operation, int most, boolean fromStart) {
        if (fromStart) {
            operation.rewind();
        }
        return operation.fetch(most, answers::charge);
    }

    private static SkepException refused(String what) {
        return new SkepException(StandardErrorCode.NOT_SUPPORTED, what + " is not supported");
    }

    private ZoneId zone(Operation operation) {
        String zone = sessions.owner(operation.id())
                .flatMap(session -> session.sql().setting("hive.local.time.zone"))
                .orElse("");
        return zone.equalsIgnoreCase("LOCAL") || zone.isEmpty()
                ? ZoneId.systemDefault()
                : ZoneId.of(zone, ZoneId.SHORT_IDS);
    }

    /** The response has no field for a failure. */
    @Override
    public TGetQueryIdResp GetQueryId(TGetQueryIdReq request) throws TApplicationException {
        try {
            return new TGetQueryIdResp(
                    operation(request.getOperationHandle()).queryId().value());
        } catch (SkepException e) {
            throw new TApplicationException(TApplicationException.INTERNAL_ERROR, e.fullMessage());
        }
    }

    @Override
    public TSetClientInfoResp SetClientInfo(TSetClientInfoReq request) {
        return new TSetClientInfoResp(attempt(() -> session(request.getSessionHandle())));
    }

    @Override
    ClientSession session(@Nullable TSessionHandle handle) {
        THandleIdentifier identifier = given(handle, "session handle").getSessionId();
        return sessions.get(Handles.id(identifier), Handles.secret(identifier), login.user());
    }

    private Operation operation(@Nullable TOperationHandle handle) {
        THandleIdentifier identifier = given(handle, "operation handle").getOperationId();
        return sessions.operation(Handles.id(identifier), Handles.secret(identifier), login.user());
    }

    /** Cancels what runs for a client that has disconnected. */
    void clientGone() {
        if (config.closeOnDisconnect()) {
            opened.forEach(id -> sessions.cancelAll(id, "its client has gone"));
        }
    }

    @Override
    public void close() {
        if (config.closeOnDisconnect()) {
            List.copyOf(opened).forEach(this::close);
        }
    }

    /** A failure to close one session does not keep the others open. */
    private void close(UUID session) {
        try {
            sessions.close(session);
        } catch (RuntimeException e) {
            LOG.warn("closing a session of {} failed", login.address(), e);
        }
    }
}
