package io.skep.service.wire;

import static io.skep.service.wire.ThriftStatus.attempt;

import io.skep.metastore.Catalog;
import io.skep.ql.SqlStatement;
import io.skep.service.authentication.ClientLogin;
import io.skep.service.metadata.CrossReference;
import io.skep.service.metadata.KeyQueries;
import io.skep.service.metadata.MetadataQueries;
import io.skep.service.metadata.ShownCatalog;
import io.skep.service.metadata.TableTypeMapping;
import io.skep.service.session.ClientSession;
import io.skep.service.session.MetadataCall;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hive.service.rpc.thrift.TGetCatalogsReq;
import org.apache.hive.service.rpc.thrift.TGetCatalogsResp;
import org.apache.hive.service.rpc.thrift.TGetColumnsReq;
import org.apache.hive.service.rpc.thrift.TGetColumnsResp;
import org.apache.hive.service.rpc.thrift.TGetCrossReferenceReq;
import org.apache.hive.service.rpc.thrift.TGetCrossReferenceResp;
import org.apache.hive.service.rpc.thrift.TGetFunctionsReq;
import org.apache.hive.service.rpc.thrift.TGetFunctionsResp;
import org.apache.hive.service.rpc.thrift.TGetPrimaryKeysReq;
import org.apache.hive.service.rpc.thrift.TGetPrimaryKeysResp;
import org.apache.hive.service.rpc.thrift.TGetSchemasReq;
import org.apache.hive.service.rpc.thrift.TGetSchemasResp;
import org.apache.hive.service.rpc.thrift.TGetTableTypesReq;
import org.apache.hive.service.rpc.thrift.TGetTableTypesResp;
import org.apache.hive.service.rpc.thrift.TGetTablesReq;
import org.apache.hive.service.rpc.thrift.TGetTablesResp;
import org.apache.hive.service.rpc.thrift.TGetTypeInfoReq;
import org.apache.hive.service.rpc.thrift.TGetTypeInfoResp;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TOperationType;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.jspecify.annotations.Nullable;

/** The calls for catalog metadata. Each creates a statement whose rows are the answer. */
abstract class MetadataRequests extends DelegationTokenRequests {
    private final Catalog catalog;

    MetadataRequests(WireServices services, ClientLogin login) {
        super(services, login);
        this.catalog = services.catalog();
    }

    /** Runs a metadata call and returns its handle. */
    private TOperationHandle metadata(
            @Nullable TSessionHandle handle,
            TOperationType type,
            Map<String, String> arguments,
            Supplier<SqlStatement> statement) {
        ClientSession session = session(handle);
        return Handles.of(session, session.execute(new MetadataCall(type.name(), arguments, statement)), type);
    }

    /** Returns what a call asks for, by the names of its fields. */
    private static Map<String, String> asked(@Nullable String... namesAndValues) {
        Map<String, String> asked = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String value = namesAndValues[i + 1];
            if (value != null) {
                asked.put(String.valueOf(namesAndValues[i]), value);
            }
        }
        return asked;
    }

    @Override
    public TGetTypeInfoResp GetTypeInfo(TGetTypeInfoReq request) {
        TGetTypeInfoResp response = new TGetTypeInfoResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(), TOperationType.GET_TYPE_INFO, Map.of(), MetadataQueries::typeInfo))));
        return response;
    }

    @Override
    public TGetCatalogsResp GetCatalogs(TGetCatalogsReq request) {
        TGetCatalogsResp response = new TGetCatalogsResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(), TOperationType.GET_CATALOGS, Map.of(), MetadataQueries::catalogs))));
        return response;
    }

    @Override
    public TGetSchemasResp GetSchemas(TGetSchemasReq request) {
        TGetSchemasResp response = new TGetSchemasResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_SCHEMAS,
                asked("schema", request.getSchemaName()),
                () -> MetadataQueries.schemas(shown(request.getSessionHandle()), request.getSchemaName())))));
        return response;
    }

    @Override
    public TGetTablesResp GetTables(TGetTablesReq request) {
        TGetTablesResp response = new TGetTablesResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_TABLES,
                asked("schema", request.getSchemaName(), "table", request.getTableName()),
                () -> MetadataQueries.tables(
                        shown(request.getSessionHandle()),
                        mapping(request.getSessionHandle()),
                        request.getSchemaName(),
                        request.getTableName(),
                        request.getTableTypes())))));
        return response;
    }

    @Override
    public TGetTableTypesResp GetTableTypes(TGetTableTypesReq request) {
        TGetTableTypesResp response = new TGetTableTypesResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_TABLE_TYPES,
                Map.of(),
                () -> MetadataQueries.tableTypes(mapping(request.getSessionHandle()))))));
        return response;
    }

    @Override
    public TGetColumnsResp GetColumns(TGetColumnsReq request) {
        TGetColumnsResp response = new TGetColumnsResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_COLUMNS,
                asked(
                        "schema",
                        request.getSchemaName(),
                        "table",
                        request.getTableName(),
                        "column",
                        request.getColumnName()),
                () -> MetadataQueries.columns(
                        shown(request.getSessionHandle()),
                        request.getSchemaName(),
                        request.getTableName(),
                        request.getColumnName())))));
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
                    asked("schema", request.getSchemaName(), "function", request.getFunctionName()),
                    () -> MetadataQueries.functions(
                            session.sql().functions(), request.getSchemaName(), request.getFunctionName())));
        }));
        return response;
    }

    @Override
    public TGetPrimaryKeysResp GetPrimaryKeys(TGetPrimaryKeysReq request) {
        TGetPrimaryKeysResp response = new TGetPrimaryKeysResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_TABLES,
                asked("schema", request.getSchemaName(), "table", request.getTableName()),
                () -> keys(request.getSessionHandle()).primaryKeys(request.getSchemaName(), request.getTableName())))));
        return response;
    }

    @Override
    public TGetCrossReferenceResp GetCrossReference(TGetCrossReferenceReq request) {
        TGetCrossReferenceResp response = new TGetCrossReferenceResp();
        response.setStatus(attempt(() -> response.setOperationHandle(metadata(
                request.getSessionHandle(),
                TOperationType.GET_TABLES,
                asked(
                        "parentSchema",
                        request.getParentSchemaName(),
                        "parentTable",
                        request.getParentTableName(),
                        "foreignSchema",
                        request.getForeignSchemaName(),
                        "foreignTable",
                        request.getForeignTableName()),
                () -> keys(request.getSessionHandle())
                        .crossReferences(CrossReference.of(
                                request.getParentSchemaName(),
                                request.getParentTableName(),
                                request.getForeignSchemaName(),
                                request.getForeignTableName()))))));
        return response;
    }

    /** Returns what the session's user may see. */
    private ShownCatalog shown(@Nullable TSessionHandle handle) {
        return new ShownCatalog(catalog, session(handle).sql());
    }

    private TableTypeMapping mapping(@Nullable TSessionHandle handle) {
        return TableTypeMapping.of(session(handle).sql());
    }

    private KeyQueries keys(@Nullable TSessionHandle handle) {
        return new KeyQueries(shown(handle), session(handle).sql().currentDatabase());
    }
}
