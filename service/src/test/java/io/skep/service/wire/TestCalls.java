package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.StandardErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCancelOperationReq;
import org.apache.hive.service.rpc.thrift.TCloseOperationReq;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TDownloadDataReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TFetchResultsResp;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TGetInfoReq;
import org.apache.hive.service.rpc.thrift.TGetInfoType;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusReq;
import org.apache.hive.service.rpc.thrift.TGetOperationStatusResp;
import org.apache.hive.service.rpc.thrift.TGetQueryIdReq;
import org.apache.hive.service.rpc.thrift.TGetResultSetMetadataReq;
import org.apache.hive.service.rpc.thrift.THandleIdentifier;
import org.apache.hive.service.rpc.thrift.TJobExecutionStatus;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionResp;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TOperationState;
import org.apache.hive.service.rpc.thrift.TOperationType;
import org.apache.hive.service.rpc.thrift.TProgressUpdateResp;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatus;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the protocol's answers to valid and invalid requests. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestCalls {
    private final TestingServer server = new TestingServer(Map.of());
    private final TCLIService.Client client = TestingServer.client(server.connect());

    TestCalls() throws TException {}

    @AfterEach
    void close() {
        server.close();
        assertThat(TestingServer.comesTrue(
                        () -> server.engine.openStatements() == 0 && server.sessions.runningStatements() == 0))
                .as("all statements end with their server")
                .isTrue();
    }

    private TSessionHandle open() throws TException {
        return open(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10).getSessionHandle();
    }

    private TOpenSessionResp open(TProtocolVersion version) throws TException {
        return client.OpenSession(new TOpenSessionReq(version));
    }

    private TOperationHandle execute(TSessionHandle session, String text) throws TException {
        TExecuteStatementReq request = new TExecuteStatementReq(session, text);
        request.setRunAsync(true);
        var response = client.ExecuteStatement(request);
        assertThat(response.getStatus().getStatusCode()).isEqualTo(TStatusCode.SUCCESS_STATUS);
        return response.getOperationHandle();
    }

    /** Waits, as a driver does, until the statement has run before anything is fetched. */
    private TOperationHandle executed(TSessionHandle session, String text) throws TException {
        TOperationHandle operation = execute(session, text);
        assertThat(TestingServer.comesTrue(() -> state(operation) == TOperationState.FINISHED_STATE))
                .isTrue();
        return operation;
    }

    private TGetOperationStatusResp status(TOperationHandle operation) throws TException {
        return client.GetOperationStatus(new TGetOperationStatusReq(operation));
    }

    private TFetchResultsResp fetch(TOperationHandle operation, TFetchOrientation direction, long rows)
            throws TException {
        return client.FetchResults(new TFetchResultsReq(operation, direction, rows));
    }

    private static void refused(TStatus status, StandardErrorCode code, String text) {
        assertThat(status.getStatusCode()).isEqualTo(TStatusCode.ERROR_STATUS);
        assertThat(status.getErrorCode()).isEqualTo(code.code());
        assertThat(status.getSqlState()).isEqualTo(code.sqlState());
        assertThat(status.getErrorMessage()).contains(text);
        // Drivers up to version 3 parse both numbers at the end.
        assertThat(status.getInfoMessages()).singleElement().asString().matches("(?s)\\*[\\w.]+:.*:0:-1");
    }

    @Test
    void unknownSessionsAreRefusedInEachCall() throws TException {
        TSessionHandle known = open();
        THandleIdentifier stolen = new THandleIdentifier(known.getSessionId());
        stolen.setSecret(new byte[16]);
        for (THandleIdentifier bad : new THandleIdentifier[] {identifier(16), stolen}) {
            TSessionHandle session = new TSessionHandle(bad);
            StandardErrorCode code = StandardErrorCode.SESSION_NOT_FOUND;
            String text = "Invalid SessionHandle";
            refused(client.CloseSession(new TCloseSessionReq(session)).getStatus(), code, text);
            refused(
                    client.GetInfo(new TGetInfoReq(session, TGetInfoType.CLI_DBMS_NAME))
                            .getStatus(),
                    code,
                    text);
            refused(
                    client.ExecuteStatement(new TExecuteStatementReq(session, "rows 1"))
                            .getStatus(),
                    code,
                    text);
        }
        TSessionHandle cut = new TSessionHandle(identifier(3));
        refused(
                client.CloseSession(new TCloseSessionReq(cut)).getStatus(),
                StandardErrorCode.INVALID_ARGUMENT,
                "16 bytes, not 3");
        assertThat(client.CloseSession(new TCloseSessionReq(known)).getStatus().getStatusCode())
                .isEqualTo(TStatusCode.SUCCESS_STATUS);
        refused(
                client.CloseSession(new TCloseSessionReq(known)).getStatus(),
                StandardErrorCode.SESSION_NOT_FOUND,
                "Invalid SessionHandle");
    }

    private static THandleIdentifier identifier(int bytes) {
        THandleIdentifier identifier = new THandleIdentifier();
        identifier.setGuid(new byte[bytes]);
        identifier.setSecret(new byte[bytes]);
        return identifier;
    }

    @Test
    void unknownOperationsAreRefusedInEachCall() throws TException {
        open();
        TOperationHandle operation = new TOperationHandle(identifier(16), TOperationType.EXECUTE_STATEMENT, true);
        StandardErrorCode code = StandardErrorCode.INVALID_FETCH;
        String text = "Invalid OperationHandle";
        refused(status(operation).getStatus(), code, text);
        refused(fetch(operation, TFetchOrientation.FETCH_NEXT, 1).getStatus(), code, text);
        refused(client.CancelOperation(new TCancelOperationReq(operation)).getStatus(), code, text);
        refused(client.CloseOperation(new TCloseOperationReq(operation)).getStatus(), code, text);
        refused(
                client.GetResultSetMetadata(new TGetResultSetMetadataReq(operation))
                        .getStatus(),
                code,
                text);
        assertThatThrownBy(() -> client.GetQueryId(new TGetQueryIdReq(operation)))
                .isInstanceOf(TApplicationException.class)
                .hasMessageContaining(text);
    }

    @Test
    void operationsOfAClosedSessionAreUnknown() throws TException {
        TSessionHandle session = open();
        TOperationHandle operation = execute(session, "rows 100");
        client.CloseSession(new TCloseSessionReq(session));
        refused(status(operation).getStatus(), StandardErrorCode.INVALID_FETCH, "Invalid OperationHandle");
        assertThat(server.engine.openStatements()).isZero();
    }

    @Test
    void refusedCallsSayTheirName() throws TException {
        TSessionHandle session = open();
        refused(
                client.GetDelegationToken(new TGetDelegationTokenReq(session, "a", "b"))
                        .getStatus(),
                StandardErrorCode.NOT_SUPPORTED,
                "Delegation token only supported over kerberos authentication");
        assertThatThrownBy(() -> client.DownloadData(new TDownloadDataReq(session)))
                .isInstanceOf(TApplicationException.class)
                .hasMessageContaining("DownloadData");
        refused(
                client.GetInfo(new TGetInfoReq(session, TGetInfoType.CLI_XOPEN_CLI_YEAR))
                        .getStatus(),
                StandardErrorCode.NOT_SUPPORTED,
                "CLI_XOPEN_CLI_YEAR");
    }

    @Test
    void directionsOtherThanForwardAreRefused() throws TException {
        TOperationHandle operation = executed(open(), "rows 25");
        for (TFetchOrientation direction : TFetchOrientation.values()) {
            if (direction != TFetchOrientation.FETCH_NEXT && direction != TFetchOrientation.FETCH_FIRST) {
                refused(fetch(operation, direction, 5).getStatus(), StandardErrorCode.NOT_SUPPORTED, direction.name());
            }
        }
        assertThat(fetch(operation, TFetchOrientation.FETCH_FIRST, 5)
                        .getResults()
                        .getColumns()
                        .getFirst()
                        .getI32Val()
                        .getValues())
                .containsExactly(0, 1, 2, 3, 4);
        assertThat(numbers(fetch(operation, TFetchOrientation.FETCH_FIRST, 5))).containsExactly(0, 1, 2, 3, 4);
        TFetchResultsReq request = new TFetchResultsReq(operation, TFetchOrientation.FETCH_NEXT, 5);
        request.setFetchType((short) 7);
        refused(client.FetchResults(request).getStatus(), StandardErrorCode.NOT_SUPPORTED, "kind of rows 7");
        TFetchResultsResp rest = fetch(operation, TFetchOrientation.FETCH_NEXT, 100);
        assertThat(rest.getResults().getColumns().getFirst().getI32Val().getValues())
                .hasSize(20);
        assertThat(rest.getResults().getStartRowOffset()).isEqualTo(5);
        assertThat(rest.isHasMoreRows()).isFalse();
    }

    @Test
    void smallResultsAreReadAgainFromTheirFirstRow() throws TException {
        TOperationHandle operation = executed(open(), "rows 25");
        assertThat(numbers(fetch(operation, TFetchOrientation.FETCH_NEXT, 12))).hasSize(12);
        for (int round = 0; round < 2; round++) {
            TFetchResultsResp again = fetch(operation, TFetchOrientation.FETCH_FIRST, 7);
            assertThat(numbers(again)).containsExactly(0, 1, 2, 3, 4, 5, 6);
            assertThat(again.getResults().getStartRowOffset()).isZero();
            assertThat(numbers(fetch(operation, TFetchOrientation.FETCH_NEXT, 100)))
                    .hasSize(18)
                    .startsWith(7)
                    .endsWith(24);
            assertThat(fetch(operation, TFetchOrientation.FETCH_NEXT, 100).isHasMoreRows())
                    .isFalse();
        }
        assertThat(status(operation).getOperationState()).isEqualTo(TOperationState.FINISHED_STATE);
    }

    @Test
    void sessionsSwitchTheirLogsOff() throws TException {
        TSessionHandle session = open();
        TFetchResultsReq log = new TFetchResultsReq(executed(session, "rows 3"), TFetchOrientation.FETCH_FIRST, 100);
        log.setFetchType((short) 1);
        assertThat(logLines(log)).isNotEmpty();
        executed(session, "set " + ThriftConfig.LOG.name() + "=false");
        assertThat(logLines(log)).isEmpty();
    }

    private List<String> logLines(TFetchResultsReq log) throws TException {
        return client.FetchResults(log)
                .getResults()
                .getColumns()
                .getFirst()
                .getStringVal()
                .getValues();
    }

    @Test
    void largeResultsAreReadOnce() throws TException {
        TOperationHandle operation = executed(open(), "rows 20000");
        assertThat(numbers(fetch(operation, TFetchOrientation.FETCH_NEXT, 9000)))
                .hasSize(9000);
        assertThat(numbers(fetch(operation, TFetchOrientation.FETCH_FIRST, 3))).containsExactly(0, 1, 2);
        assertThat(numbers(fetch(operation, TFetchOrientation.FETCH_NEXT, 10_500)))
                .hasSize(10_000)
                .endsWith(10_002);
        refused(
                fetch(operation, TFetchOrientation.FETCH_FIRST, 5).getStatus(),
                StandardErrorCode.NOT_SUPPORTED,
                "from its first row");
        assertThat(numbers(fetch(operation, TFetchOrientation.FETCH_NEXT, 1))).containsExactly(10_003);
    }

    private static List<Integer> numbers(TFetchResultsResp page) {
        return page.getResults().getColumns().getFirst().getI32Val().getValues();
    }

    @Test
    void failuresHaveStateAndCode() throws TException {
        TSessionHandle session = open();
        refused(
                client.ExecuteStatement(new TExecuteStatementReq(session, "nonsense"))
                        .getStatus(),
                StandardErrorCode.SYNTAX_ERROR,
                "no such statement: nonsense");
        refused(
                client.ExecuteStatement(new TExecuteStatementReq(session, "fail"))
                        .getStatus(),
                StandardErrorCode.DIVISION_BY_ZERO,
                "it failed");
        TOperationHandle operation = execute(session, "fail");
        assertThat(TestingServer.comesTrue(() -> state(operation) == TOperationState.ERROR_STATE))
                .isTrue();
        TGetOperationStatusResp status = status(operation);
        assertThat(status.getErrorCode()).isEqualTo(StandardErrorCode.DIVISION_BY_ZERO.code());
        assertThat(status.getSqlState()).isEqualTo("22012");
        refused(
                fetch(operation, TFetchOrientation.FETCH_NEXT, 1).getStatus(),
                StandardErrorCode.DIVISION_BY_ZERO,
                "it failed");
    }

    private TOperationState state(TOperationHandle operation) {
        try {
            return status(operation).getOperationState();
        } catch (TException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void cancelEndsWhatRunsAndWhatIsBeingFetched() throws TException {
        TSessionHandle session = open();
        TOperationHandle waiting = execute(session, "wait");
        assertThat(state(waiting)).isEqualTo(TOperationState.RUNNING_STATE);
        refused(
                fetch(waiting, TFetchOrientation.FETCH_NEXT, 1).getStatus(),
                StandardErrorCode.INVALID_FETCH,
                "it has no rows to fetch");
        client.CancelOperation(new TCancelOperationReq(waiting));
        assertThat(state(waiting)).isEqualTo(TOperationState.CANCELED_STATE);
        TOperationHandle endless = executed(session, "endless");
        assertThat(fetch(endless, TFetchOrientation.FETCH_NEXT, 1).isHasMoreRows())
                .isTrue();
        client.CancelOperation(new TCancelOperationReq(endless));
        refused(
                fetch(endless, TFetchOrientation.FETCH_NEXT, 1).getStatus(),
                StandardErrorCode.OPERATION_CANCELED,
                "cancelled by its user");
        TOperationHandle done = executed(session, "rows 1");
        assertThat(fetch(done, TFetchOrientation.FETCH_NEXT, 10).isHasMoreRows())
                .isFalse();
        client.CancelOperation(new TCancelOperationReq(done));
        assertThat(state(done)).as("what has ended is not cancelled").isEqualTo(TOperationState.FINISHED_STATE);
    }

    @Test
    void queriesEndAtTheClientsLimitOrTheSessions() throws TException {
        TSessionHandle session = open();
        TExecuteStatementReq request = new TExecuteStatementReq(session, "wait");
        request.setRunAsync(true);
        request.setQueryTimeout(1);
        TOperationHandle byClient = client.ExecuteStatement(request).getOperationHandle();
        executed(session, "set hive.query.timeout.seconds=20ms");
        TOperationHandle bySession = execute(session, "wait");
        for (TOperationHandle late : new TOperationHandle[] {bySession, byClient}) {
            assertThat(TestingServer.comesTrue(() -> state(late) == TOperationState.TIMEDOUT_STATE))
                    .isTrue();
            assertThat(status(late).getErrorCode()).isEqualTo(StandardErrorCode.TIME_LIMIT_EXCEEDED.code());
        }
        executed(session, "set hive.query.timeout.seconds=soon");
        refused(
                client.ExecuteStatement(new TExecuteStatementReq(session, "rows 1"))
                        .getStatus(),
                StandardErrorCode.INVALID_CONFIGURATION,
                "hive.query.timeout.seconds");
    }

    @Test
    void progressAndLogTellWhatHappens() throws TException {
        TOperationHandle operation = execute(open(), "wait");
        TGetOperationStatusReq request = new TGetOperationStatusReq(operation);
        request.setGetProgressUpdate(true);
        TProgressUpdateResp progress =
                Objects.requireNonNull(client.GetOperationStatus(request).getProgressUpdateResponse());
        assertThat(progress.getStatus()).isEqualTo(TJobExecutionStatus.IN_PROGRESS);
        assertThat(progress.getProgressedPercentage()).isEqualTo(0.75);
        assertThat(progress.getRows().getFirst())
                .hasSameSizeAs(progress.getHeaderNames())
                .startsWith("Stage 1", "direct", "RUNNING", "4", "3", "1", "0");
        assertThat(status(operation).getProgressUpdateResponse()).isNull();
        TOperationHandle rows = executed(open(), "rows 3");
        assertThat(fetch(rows, TFetchOrientation.FETCH_NEXT, 10).isHasMoreRows())
                .isFalse();
        TFetchResultsReq log = new TFetchResultsReq(rows, TFetchOrientation.FETCH_FIRST, 100);
        log.setFetchType((short) 1);
        assertThat(client.FetchResults(log)
                        .getResults()
                        .getColumns()
                        .getFirst()
                        .getStringVal()
                        .getValues())
                .anyMatch(line -> line.startsWith("Compiling command(queryId=") && line.endsWith("): rows 3"))
                .contains("Semantic Analysis Completed (retrial = false)")
                .anyMatch(line -> line.startsWith("Executing command(queryId=") && line.endsWith("): rows 3"))
                .contains("at work", "Stage 1: 3 of 4 tasks, 30 rows")
                .anyMatch(line -> line.startsWith("Completed executing command(queryId="));
        client.CancelOperation(new TCancelOperationReq(operation));
    }

    @ParameterizedTest
    @EnumSource(TProtocolVersion.class)
    void everyProtocolVersionIsServed(TProtocolVersion version) throws TException {
        TOpenSessionResp opened = open(version);
        assertThat(opened.getServerProtocolVersion()).isEqualTo(version);
        TOperationHandle operation = executed(opened.getSessionHandle(), "rows 12");
        var rows = fetch(operation, TFetchOrientation.FETCH_NEXT, 11).getResults();
        if (version.getValue() < TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V6.getValue()) {
            assertThat(rows.getRows()).hasSize(11);
            assertThat(rows.getRows()
                            .get(10)
                            .getColVals()
                            .getFirst()
                            .getI32Val()
                            .getValue())
                    .isEqualTo(10);
        } else {
            assertThat(rows.getColumns().getFirst().getI32Val().getValues()).hasSize(11);
        }
    }
}
