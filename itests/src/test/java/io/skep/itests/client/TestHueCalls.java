package io.skep.itests.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.SaslException;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCancelOperationReq;
import org.apache.hive.service.rpc.thrift.TCloseOperationReq;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TColumn;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TGetFunctionsReq;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusReq;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusResp;
import org.apache.hive.service.rpc.thrift.TGetResultSetMetadataReq;
import org.apache.hive.service.rpc.thrift.TGetTablesReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TOperationState;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatus;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.hive.service.rpc.thrift.TTableSchema;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.THttpClient;
import org.apache.thrift.transport.TSaslClientTransport;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the calls that HUE's own client makes, with Hive's Thrift classes: a session that acts for HUE's user,
 * statements in the background, logs and results read from the begin and onwards, metadata with HUE's patterns, and the
 * order of DESCRIBE FORMATTED that HUE reads. {@code bin/bench clients --hue CLONE} runs that client itself.
 */
@ExtendWith(SharedServer.class)
@ParameterizedClass
@EnumSource(Transport.class)
final class TestHueCalls {
    private final TTransport wire;
    private final TCLIService.Client client;
    private final TSessionHandle session;

    TestHueCalls(Transport transport, TestServer server) throws SaslException, TException {
        wire = transport == Transport.HTTP ? http(server) : sasl(server);
        if (!wire.isOpen()) {
            wire.open();
        }
        client = new TCLIService.Client(new TBinaryProtocol(wire));
        TOpenSessionReq request = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V11);
        request.setUsername("hue");
        request.setConfiguration(Map.of("hive.server2.proxy.user", "mary"));
        session = requireNonNull(client.OpenSession(request).getSessionHandle());
        rows("create database hue_calls comment 'of hue'");
        rows("create table hue_calls.people (id int comment 'key', name string) comment 'who'"
                + " partitioned by (day date) stored as orc");
        rows("insert into hue_calls.people partition (day = '2020-01-01') values (1, 'a'), (2, null)");
    }

    private static TTransport sasl(TestServer server) throws SaslException, TException {
        CallbackHandler login = callbacks -> {
            for (Callback callback : callbacks) {
                switch (callback) {
                    case NameCallback name -> name.setName("hue");
                    case PasswordCallback password -> password.setPassword("any".toCharArray());
                    default -> throw new IllegalStateException("not asked by PLAIN: " + callback);
                }
            }
        };
        return new TSaslClientTransport(
                "PLAIN", null, null, null, Map.of(), login, new TSocket("127.0.0.1", server.port()));
    }

    private static TTransport http(TestServer server) throws TException {
        THttpClient http =
                new THttpClient("http://127.0.0.1:" + server.server().httpPort().orElseThrow() + "/cliservice");
        String login = Base64.getEncoder().encodeToString("hue:any".getBytes(StandardCharsets.UTF_8));
        http.setCustomHeader("Authorization", "Basic " + login);
        return http;
    }

    @AfterEach
    void close() throws TException {
        rows("drop database hue_calls cascade");
        client.CloseSession(new TCloseSessionReq(session));
        wire.close();
    }

    private static void ok(@Nullable TStatus status) {
        assertThat(requireNonNull(status).getStatusCode())
                .as(String.valueOf(status.getErrorMessage()))
                .isIn(TStatusCode.SUCCESS_STATUS, TStatusCode.SUCCESS_WITH_INFO_STATUS);
    }

    private TOperationHandle start(String sql, boolean background) throws TException {
        TExecuteStatementReq request = new TExecuteStatementReq(session, sql);
        request.setConfOverlay(Map.of());
        request.setRunAsync(background);
        var response = client.ExecuteStatement(request);
        ok(response.getStatus());
        return requireNonNull(response.getOperationHandle());
    }

    /** Runs a statement in the foreground, as HUE does for its assistant, and returns the rows as texts. */
    private List<List<String>> rows(String sql) throws TException {
        return rows(start(sql, false));
    }

    private List<List<String>> rows(@Nullable TOperationHandle handle) throws TException {
        TOperationHandle operation = requireNonNull(handle);
        List<List<String>> rows = operation.isHasResultSet()
                ? fetch(operation, TFetchOrientation.FETCH_NEXT, 10_000, (short) 0)
                : List.of();
        ok(client.CloseOperation(new TCloseOperationReq(operation)).getStatus());
        return rows;
    }

    private List<List<String>> fetch(TOperationHandle operation, TFetchOrientation from, long max, short type)
            throws TException {
        TFetchResultsReq request = new TFetchResultsReq(operation, from, max);
        request.setFetchType(type);
        var response = client.FetchResults(request);
        ok(response.getStatus());
        List<List<String>> rows = new ArrayList<>();
        for (TColumn column :
                requireNonNull(requireNonNull(response.getResults()).getColumns())) {
            // Columns of strings have their value at once; of the other types the tests read integers only.
            List<?> values = requireNonNull(
                    column.isSetStringVal()
                            ? column.getStringVal().getValues()
                            : column.isSetI32Val() ? column.getI32Val().getValues() : List.of());
            for (int i = 0; i < values.size(); i++) {
                if (rows.size() <= i) {
                    rows.add(new ArrayList<>());
                }
                rows.get(i).add(values.get(i).toString());
            }
        }
        return rows;
    }

    private TGetOperationStatusResp await(TOperationHandle operation) {
        TGetOperationStatusResp[] last = new TGetOperationStatusResp[1];
        Polling.await("the statement has ended").until(() -> {
            last[0] = client.GetOperationStatus(new TGetOperationStatusReq(operation));
            ok(last[0].getStatus());
            return last[0].getOperationState() != TOperationState.RUNNING_STATE
                    && last[0].getOperationState() != TOperationState.PENDING_STATE
                    && last[0].getOperationState() != TOperationState.INITIALIZED_STATE;
        });
        return last[0];
    }

    private static List<String> column(List<List<String>> rows, int column) {
        return rows.stream().map(row -> row.get(column).strip()).toList();
    }

    @Test
    void theSessionActsForTheUserOfHue() throws TException {
        assertThat(rows("select current_user()")).containsExactly(List.of("mary"));
        assertThat(column(rows("SET -v"), 0)).anyMatch(line -> line.equals("hive.execution.engine=tez"));
    }

    @Test
    void resultsAndLogsAreReadFromTheBeginAndOnwards() throws TException {
        TOperationHandle query =
                start("select pos from (select posexplode(split(space(1499), ' ')) as (pos, v)) t order by pos", true);
        assertThat(await(query).getOperationState()).isEqualTo(TOperationState.FINISHED_STATE);
        TTableSchema schema = requireNonNull(
                client.GetResultSetMetadata(new TGetResultSetMetadataReq(query)).getSchema());
        assertThat(schema.getColumns())
                .extracting(column -> column.getColumnName())
                .containsExactly("pos");
        for (int round = 0; round < 2; round++) {
            List<List<String>> first = fetch(query, TFetchOrientation.FETCH_FIRST, 1000, (short) 0);
            assertThat(first).hasSize(1000).startsWith(List.of("0"));
            assertThat(fetch(query, TFetchOrientation.FETCH_NEXT, 1000, (short) 0))
                    .hasSize(500)
                    .startsWith(List.of("1000"));
            assertThat(fetch(query, TFetchOrientation.FETCH_NEXT, 1000, (short) 0))
                    .isEmpty();
        }
        List<List<String>> log = fetch(query, TFetchOrientation.FETCH_FIRST, -1, (short) 1);
        assertThat(column(log, 0)).anyMatch(line -> line.contains("posexplode"));
        assertThat(fetch(query, TFetchOrientation.FETCH_FIRST, -1, (short) 1)).isEqualTo(log);
        assertThat(fetch(query, TFetchOrientation.FETCH_NEXT, -1, (short) 1)).isEmpty();
        ok(client.CloseOperation(new TCloseOperationReq(query)).getStatus());
    }

    @Test
    void errorsAndCancelledQueriesSayTheirState() throws TException {
        TOperationHandle failing = start("select assert_true(a < 2) from (select explode(array(1, 2)) as a) t", true);
        TGetOperationStatusResp failed = await(failing);
        assertThat(failed.getOperationState()).isEqualTo(TOperationState.ERROR_STATE);
        assertThat(failed.getErrorMessage()).contains("ASSERT_TRUE");
        ok(client.CloseOperation(new TCloseOperationReq(failing)).getStatus());
        String numbers = "(select posexplode(split(space(9999), ' ')) as (n, v))";
        TOperationHandle endless = start(
                "select count(*) from " + numbers + " a cross join " + numbers + " b cross join " + numbers
                        + " c where a.n + b.n < c.n",
                true);
        ok(client.CancelOperation(new TCancelOperationReq(endless)).getStatus());
        assertThat(await(endless).getOperationState()).isEqualTo(TOperationState.CANCELED_STATE);
        ok(client.CloseOperation(new TCloseOperationReq(endless)).getStatus());
    }

    @Test
    void metadataWithThePatternsOfHue() throws TException {
        TGetTablesReq tables = new TGetTablesReq(session);
        tables.setSchemaName("hue_calls");
        tables.setTableName("*");
        tables.setTableTypes(List.of("TABLE", "VIEW", "EXTERNAL_TABLE", "MATERIALIZED_VIEW"));
        assertThat(column(rows(client.GetTables(tables).getOperationHandle()), 2))
                .containsExactly("people");
        TGetFunctionsReq functions = new TGetFunctionsReq(session, ".*");
        assertThat(column(rows(client.GetFunctions(functions).getOperationHandle()), 2))
                .contains("concat", "concat_ws");
        functions.setFunctionName("concat.*");
        assertThat(column(rows(client.GetFunctions(functions).getOperationHandle()), 2))
                .containsExactly("concat", "concat_ws");
    }

    /** HUE finds columns, partition columns and properties by the order of these rows. */
    @Test
    void descriptionsHaveTheOrderThatHueReads() throws TException {
        List<List<String>> rows = rows("DESCRIBE FORMATTED `hue_calls`.`people`");
        List<String> names = column(rows, 0);
        assertThat(names.subList(0, 3)).containsExactly("id", "name", "");
        int partitions = names.indexOf("# Partition Information");
        assertThat(names.subList(partitions + 1, partitions + 4)).containsExactly("# col_name", "day", "");
        Map<String, String> properties = new HashMap<>();
        rows.forEach(row -> properties.put(row.get(0).strip(), row.get(1).strip()));
        assertThat(properties.get("Location:")).endsWith("/people");
        assertThat(properties)
                .containsEntry("Table Type:", "MANAGED_TABLE")
                .containsEntry("SerDe Library:", "org.apache.hadoop.hive.ql.io.orc.OrcSerde")
                .containsKeys("Owner:", "CreateTime:", "Table Parameters:", "Storage Desc Params:");
        assertThat(column(rows("SHOW PARTITIONS `hue_calls`.`people` PARTITION(day='2020-01-01')"), 0))
                .containsExactly("day=2020-01-01");
        assertThat(column(rows("DESCRIBE DATABASE EXTENDED `hue_calls`"), 1)).containsExactly("of hue");
    }
}
