package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCloseOperationReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementResp;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TTransport;

/** A well-behaved client that opens a new connection for each call, while other clients misbehave. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class Bystander implements AutoCloseable {
    private final TestingServer server;
    private final io.skep.common.testing.Bystander asking;

    Bystander(TestingServer server) {
        this.server = server;
        asking = new io.skep.common.testing.Bystander(() -> {
            askOnce();
            return true;
        });
    }

    private void askOnce() throws TException {
        try (TTransport transport = server.login("bystander")) {
            TCLIService.Client client = TestingServer.client(transport);
            TSessionHandle session = client.OpenSession(
                            new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10))
                    .getSessionHandle();
            TExecuteStatementResp run = client.ExecuteStatement(new TExecuteStatementReq(session, "SELECT 1"));
            assertThat(run.getStatus().getStatusCode()).isEqualTo(TStatusCode.SUCCESS_STATUS);
            assertThat(client.FetchResults(
                                    new TFetchResultsReq(run.getOperationHandle(), TFetchOrientation.FETCH_NEXT, 10))
                            .getResults()
                            .getColumns())
                    .hasSize(1);
            client.CloseOperation(new TCloseOperationReq(run.getOperationHandle()));
        }
    }

    @Override
    public void close() {
        asking.close();
    }
}
