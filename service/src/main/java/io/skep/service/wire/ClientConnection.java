package io.skep.service.wire;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.ql.SqlStatement;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.Operation;
import io.skep.service.session.OperationState;
import io.skep.service.session.ResultPage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCancelDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TCancelDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TCancelOperationReq;
import org.apache.hive.service.rpc.thrift.TCancelOperationResp;
import org.apache.hive.service.rpc.thrift.TCloseOperationReq;
import org.apache.hive.service.rpc.thrift.TCloseOperationResp;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TCloseSessionResp;
import org.apache.hive.service.rpc.thrift.TDownloadDataReq;
import org.apache.hive.service.rpc.thrift.TDownloadDataResp;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementResp;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TFetchResultsResp;
import org.apache.hive.service.rpc.thrift.TGetCatalogsReq;
import org.apache.hive.service.rpc.thrift.TGetCatalogsResp;
import org.apache.hive.service.rpc.thrift.TGetColumnsReq;
import org.apache.hive.service.rpc.thrift.TGetColumnsResp;
import org.apache.hive.service.rpc.thrift.TGetCrossReferenceReq;
import org.apache.hive.service.rpc.thrift.TGetCrossReferenceResp;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TGetFunctionsReq;
import org.apache.hive.service.rpc.thrift.TGetFunctionsResp;
import org.apache.hive.service.rpc.thrift.TGetInfoReq;
import org.apache.hive.service.rpc.thrift.TGetInfoResp;
import org.apache.hive.service.rpc.thrift.TGetInfoValue;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusReq;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusResp;
import org.apache.hive.service.rpc.thrift.TGetPrimaryKeysReq;
import org.apache.hive.service.rpc.thrift.TGetPrimaryKeysResp;
import org.apache.hive.service.rpc.thrift.TGetQueryIdReq;
import org.apache.hive.service.rpc.thrift.TGetQueryIdResp;
import org.apache.hive.service.rpc.thrift.TGetResultSetMetadataReq;
import org.apache.hive.service.rpc.thrift.TGetResultSetMetadataResp;
import org.apache.hive.service.rpc.thrift.TGetSchemasReq;
import org.apache.hive.service.rpc.thrift.TGetSchemasResp;
import org.apache.hive.service.rpc.thrift.TGetTableTypesReq;
import org.apache.hive.service.rpc.thrift.TGetTableTypesResp;
import org.apache.hive.service.rpc.thrift.TGetTablesReq;
import org.apache.hive.service.rpc.thrift.TGetTablesResp;
import org.apache.hive.service.rpc.thrift.TGetTypeInfoReq;
import org.apache.hive.service.rpc.thrift.TGetTypeInfoResp;
import org.apache.hive.service.rpc.thrift.THandleIdentifier;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionResp;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TOperationState;
import org.apache.hive.service.rpc.thrift.TOperationType;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TRenewDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TRenewDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TSetClientInfoReq;
import org.apache.hive.service.rpc.thrift.TSetClientInfoResp;
import org.apache.hive.service.rpc.thrift.TStatus;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.hive.service.rpc.thrift.TUploadDataReq;
import org.apache.hive.service.rpc.thrift.TUploadDataResp;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection. Sessions that it opened are closed with it. Owned by the connection's thread, which has one call
 * at a time.
 */
final class ClientConnection implements TCLIService.Iface, AutoCloseable {
    private static final TProtocolVersion NEWEST = TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V11;
    private static final int FIRST_WITH_COLUMNS = TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V6.getValue();
    private static final short LOG_ROWS = 1;
    private static final Duration LONG_POLL = Duration.ofSeconds(5);

    private final ClientSessions sessions;
    private final Catalog catalog;
    private final String user;
    private final String address;
    private final Set<UUID> opened = ConcurrentHashMap.newKeySet();

    ClientConnection(ClientSessions sessions, Catalog catalog, String user, String address) {
        this.sessions = sessions;
        this.catalog = catalog;
        this.user = user;
        this.address = address;
    }

    @Override
    public TOpenSessionResp OpenSession(TOpenSessionReq request) {
        TProtocolVersion client = request.getClient_protocol();
        int asked = client == null ? NEWEST.getValue() : client.getValue();
        TProtocolVersion version = client != null && asked < NEWEST.getValue() ? client : NEWEST;
        TOpenSessionResp response = new TOpenSessionResp();
        response.setServerProtocolVersion(version);
        response.setStatus(attempt(() -> {
            if (asked < FIRST_WITH_COLUMNS) {
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "clients have to speak protocol version V6 or newer, this one speaks " + client);
            }
            Map<String, String> settings =
                    request.getConfiguration() == null ? Map.of() : new HashMap<>(request.getConfiguration());
            String name =
                    request.getUsername() == null || request.getUsername().isEmpty() ? user : request.getUsername();
            ClientSession session = sessions.open(name, address, settings);
            opened.add(session.id());
            response.setSessionHandle(new TSessionHandle(handle(session.id())));
            response.setConfiguration(Map.of());
        }));
        return response;
    }

    @Override
    public TCloseSessionResp CloseSession(TCloseSessionReq request) {
        return new TCloseSessionResp(attempt(() -> {
            UUID id = id(given(request.getSessionHandle(), "session handle").getSessionId());
            opened.remove(id);
            sessions.close(id);
        }));
    }

    @Override
    public TGetInfoResp GetInfo(TGetInfoReq request) {
        TGetInfoResp response = new TGetInfoResp(ok(), TGetInfoValue.stringValue(""));
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
            Operation operation = session.execute(given(request.getStatement(), "statement"), request.isRunAsync());
            response.setOperationHandle(handle(session, operation, TOperationType.EXECUTE_STATEMENT));
        }));
        return response;
    }

    /** Runs a metadata call and gives its handle. */
    private TOperationHandle metadata(
            @Nullable TSessionHandle handle, TOperationType type, Supplier<SqlStatement> statement) {
        ClientSession session = session(handle);
        return handle(session, session.execute(statement.get()), type);
    }

    @Override
    public TGetTypeInfoResp GetTypeInfo(TGetTypeInfoReq request) {
        TGetTypeInfoResp response = new TGetTypeInfoResp();
        response.setStatus(attempt(() -> response.setOperationHandle(
                metadata(request.getSessionHandle(), TOperationType.GET_TYPE_INFO, MetadataCalls::typeInfo))));
        return response;
    }

    @Override
    public TGetCatalogsResp GetCatalogs(TGetCatalogsReq request) {
        TGetCatalogsResp response = new TGetCatalogsResp();
        response.setStatus(attempt(() -> response.setOperationHandle(
                metadata(request.getSessionHandle(), TOperationType.GET_CATALOGS, MetadataCalls::catalogs))));
        return response;
    }

    @Override
    public TGetSchemasResp GetSchemas(TGetSchemasReq request) {
        TGetSchemasResp response = new TGetSchemasResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_SCHEMAS,
                () -> MetadataCalls.schemas(catalog, request.getSchemaName())))));
        return response;
    }

    @Override
    public TGetTablesResp GetTables(TGetTablesReq request) {
        TGetTablesResp response = new TGetTablesResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_TABLES,
                () -> MetadataCalls.tables(
                        catalog, request.getSchemaName(), request.getTableName(), request.getTableTypes())))));
        return response;
    }

    @Override
    public TGetTableTypesResp GetTableTypes(TGetTableTypesReq request) {
        TGetTableTypesResp response = new TGetTableTypesResp();
        response.setStatus(attempt(() -> response.setOperationHandle(
                metadata(request.getSessionHandle(), TOperationType.GET_TABLE_TYPES, MetadataCalls::tableTypes))));
        return response;
    }

    @Override
    public TGetColumnsResp GetColumns(TGetColumnsReq request) {
        TGetColumnsResp response = new TGetColumnsResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_COLUMNS,
                () -> MetadataCalls.columns(
                        catalog, request.getSchemaName(), request.getTableName(), request.getColumnName())))));
        return response;
    }

    @Override
    public TGetFunctionsResp GetFunctions(TGetFunctionsReq request) {
        TGetFunctionsResp response = new TGetFunctionsResp();
        response.setStatus(attempt(() -> {
            ClientSession session = session(request.getSessionHandle());
            response.setOperationHandle(metadata(
                    request.getSessionHandle(),
                    TOperationType.GET_FUNCTIONS,
                    () -> MetadataCalls.functions(session.sql().functions(), request.getFunctionName())));
        }));
        return response;
    }

    @Override
    public TGetPrimaryKeysResp GetPrimaryKeys(TGetPrimaryKeysReq request) {
        TGetPrimaryKeysResp response = new TGetPrimaryKeysResp();
        response.setStatus(attempt(() -> response.setOperationHandle(
                metadata(request.getSessionHandle(), TOperationType.GET_TABLES, MetadataCalls::primaryKeys))));
        return response;
    }

    @Override
    public TGetCrossReferenceResp GetCrossReference(TGetCrossReferenceReq request) {
        TGetCrossReferenceResp response = new TGetCrossReferenceResp();
        response.setStatus(attempt(() -> response.setOperationHandle(
                metadata(request.getSessionHandle(), TOperationType.GET_TABLES, MetadataCalls::crossReferences))));
        return response;
    }

    @Override
    public TGetOperationStatusResp GetOperationStatus(TGetOperationStatusReq request) {
        TGetOperationStatusResp response = new TGetOperationStatusResp();
        response.setStatus(attempt(() -> {
            Operation operation = operation(request.getOperationHandle());
            operation.await(LONG_POLL);
            describe(operation, response);
        }));
        return response;
    }

    private static void describe(Operation operation, TGetOperationStatusResp response) {
        response.setOperationState(state(operation.state()));
        response.setHasResultSet(operation.schema().isPresent());
        operation.started().ifPresent(time -> response.setOperationStarted(time.toEpochMilli()));
        operation.completed().ifPresent(time -> response.setOperationCompleted(time.toEpochMilli()));
        operation.modifiedRows().ifPresent(response::setNumModifiedRows);
        operation.failure().ifPresent(failure -> {
            response.setErrorMessage("Error while processing statement: FAILED: " + message(failure));
            response.setSqlState(failure.code().sqlState());
            response.setErrorCode(failure.code().code());
        });
    }

    private static TOperationState state(OperationState state) {
        return switch (state) {
            case PENDING -> TOperationState.PENDING_STATE;
            case RUNNING -> TOperationState.RUNNING_STATE;
            case FINISHED -> TOperationState.FINISHED_STATE;
            case FAILED -> TOperationState.ERROR_STATE;
            case CANCELED -> TOperationState.CANCELED_STATE;
            case CLOSED -> TOperationState.CLOSED_STATE;
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
            UUID id = id(given(request.getOperationHandle(), "operation handle").getOperationId());
            for (UUID session : opened) {
                sessions.get(session).close(id);
            }
        }));
    }

    @Override
    public TGetResultSetMetadataResp GetResultSetMetadata(TGetResultSetMetadataReq request) {
        TGetResultSetMetadataResp response = new TGetResultSetMetadataResp();
        response.setStatus(attempt(() -> {
            Operation operation = operation(request.getOperationHandle());
            response.setSchema(WireTypes.schema(operation
                    .schema()
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
            int most = (int) Math.min(Integer.MAX_VALUE, request.getMaxRows());
            if (request.getFetchType() == LOG_ROWS) {
                boolean fromStart = request.getOrientation() == TFetchOrientation.FETCH_FIRST;
                response.setResults(RowSets.ofLog(operation.logLines(most, fromStart)));
                return;
            }
            ResultPage page = operation.fetch(most);
            response.setHasMoreRows(page.hasMore());
            response.setResults(RowSets.of(page, zone(request.getOperationHandle())));
        }));
        return response;
    }

    private ZoneId zone(@Nullable TOperationHandle handle) {
        String zone =
                owner(given(handle, "operation handle")).sql().settings().getOrDefault("hive.local.time.zone", "LOCAL");
        return zone.equalsIgnoreCase("LOCAL") || zone.isEmpty()
                ? ZoneId.systemDefault()
                : ZoneId.of(zone, ZoneId.SHORT_IDS);
    }

    @Override
    public TGetQueryIdResp GetQueryId(TGetQueryIdReq request) {
        TGetQueryIdResp response = new TGetQueryIdResp();
        response.setQueryId(operation(request.getOperationHandle()).queryId().value());
        return response;
    }

    @Override
    public TSetClientInfoResp SetClientInfo(TSetClientInfoReq request) {
        return new TSetClientInfoResp(attempt(() -> session(request.getSessionHandle())));
    }

    @Override
    public TGetDelegationTokenResp GetDelegationToken(TGetDelegationTokenReq request) {
        return new TGetDelegationTokenResp(refuse("delegation tokens"));
    }

    @Override
    public TCancelDelegationTokenResp CancelDelegationToken(TCancelDelegationTokenReq request) {
        return new TCancelDelegationTokenResp(refuse("delegation tokens"));
    }

    @Override
    public TRenewDelegationTokenResp RenewDelegationToken(TRenewDelegationTokenReq request) {
        return new TRenewDelegationTokenResp(refuse("delegation tokens"));
    }

    @Override
    public TUploadDataResp UploadData(TUploadDataReq request) {
        TUploadDataResp response = new TUploadDataResp();
        response.setStatus(refuse("UploadData"));
        return response;
    }

    @Override
    public TDownloadDataResp DownloadData(TDownloadDataReq request) {
        TDownloadDataResp response = new TDownloadDataResp();
        response.setStatus(refuse("DownloadData"));
        return response;
    }

    /** Part of a request that has to be there. */
    private static <T> T given(@Nullable T value, String what) {
        if (value == null) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the request has no " + what);
        }
        return value;
    }

    private ClientSession session(@Nullable TSessionHandle handle) {
        UUID id = id(given(handle, "session handle").getSessionId());
        if (!opened.contains(id)) {
            throw new SkepException(StandardErrorCode.SESSION_NOT_FOUND, "Invalid SessionHandle: " + id);
        }
        return sessions.get(id);
    }

    private Operation operation(@Nullable TOperationHandle handle) {
        TOperationHandle known = given(handle, "operation handle");
        return owner(known).operation(id(known.getOperationId()));
    }

    /** The session of an operation. A connection has one session, rarely more. */
    private ClientSession owner(TOperationHandle handle) {
        UUID id = id(handle.getOperationId());
        return opened.stream()
                .map(sessions::get)
                .filter(session -> session.has(id))
                .findFirst()
                .orElseThrow(
                        () -> new SkepException(StandardErrorCode.INVALID_FETCH, "Invalid OperationHandle: " + id));
    }

    private static TOperationHandle handle(ClientSession session, Operation operation, TOperationType type) {
        session.operation(operation.id());
        return new TOperationHandle(
                handle(operation.id()), type, operation.schema().isPresent());
    }

    private static THandleIdentifier handle(UUID id) {
        ByteBuffer bytes =
                ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        return new THandleIdentifier(ByteBuffer.wrap(bytes.array()), ByteBuffer.wrap(bytes.array()));
    }

    private static UUID id(@Nullable THandleIdentifier identifier) {
        ByteBuffer guid =
                ByteBuffer.wrap(given(identifier, "handle's identifier").getGuid());
        if (guid.remaining() != 16) {
            throw new SkepException(
                    StandardErrorCode.SESSION_NOT_FOUND, "a handle has 16 bytes, not " + guid.remaining());
        }
        return new UUID(guid.getLong(), guid.getLong());
    }

    private static TStatus ok() {
        return new TStatus(TStatusCode.SUCCESS_STATUS);
    }

    private static TStatus refuse(String what) {
        return failed(new SkepException(StandardErrorCode.NOT_SUPPORTED, what + " are not supported yet"));
    }

    /** Does what a call asks for; every failure becomes a status. */
    private static TStatus attempt(Runnable call) {
        try {
            call.run();
            return ok();
        } catch (SkepException e) {
            return failed(e);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return failed(new SkepException(StandardErrorCode.INTERNAL_ERROR, String.valueOf(e), e));
        }
    }

    private static TStatus failed(SkepException failure) {
        TStatus status = new TStatus(TStatusCode.ERROR_STATUS);
        status.setErrorMessage("Error while compiling statement: FAILED: " + message(failure));
        status.setSqlState(failure.code().sqlState());
        status.setErrorCode(failure.code().code());
        status.setInfoMessages(List.of("*" + failure.getClass().getName() + ":" + failure.fullMessage()));
        return status;
    }

    private static String message(SkepException failure) {
        String kind = switch (failure.code()) {
            case SYNTAX_ERROR -> "ParseException ";
            case INTERNAL_ERROR -> "Internal error: ";
            default -> failure.code().kind() == ErrorKind.USER ? "SemanticException " : "";
        };
        return kind + failure.fullMessage();
    }

    @Override
    public void close() {
        List.copyOf(opened).forEach(sessions::close);
    }
}
