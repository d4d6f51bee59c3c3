package io.skep.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Bystander;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementResp;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.thrift.TException;

/** A well-behaved client that asks again and again, while other clients misbehave. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class HttpBystander implements AutoCloseable {
    private final TestingHttpServer server;
    private final Bystander asking;

    HttpBystander(TestingHttpServer server) {
        this.server = server;
        asking = new Bystander(() -> {
            askOnce();
            return true;
        });
    }

    private void askOnce() throws TException {
        TCLIService.Client client = server.client("bystander");
        TSessionHandle session = client.OpenSession(TestingHttpServer.OPEN).getSessionHandle();
        TExecuteStatementResp run = client.ExecuteStatement(new TExecuteStatementReq(session, "SELECT 1"));
        assertThat(run.getStatus().getStatusCode()).isEqualTo(TStatusCode.SUCCESS_STATUS);
        assertThat(client.FetchResults(new TFetchResultsReq(run.getOperationHandle(), TFetchOrientation.FETCH_NEXT, 10))
                        .getResults()
                        .getColumns())
                .hasSize(1);
        client.CloseSession(new TCloseSessionReq(session));
    }

    @Override
    public void close() {
        asking.close();
    }
}
