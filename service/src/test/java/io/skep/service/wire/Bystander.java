package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
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

/** An honest client that asks all the time, on a new connection each time, and remembers its longest wait. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class Bystander implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final TestingServer server;
    private final Thread thread;
    private volatile boolean ended;
    private volatile long longestNanos;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Throwable failure;

    Bystander(TestingServer server) {
        this.server = server;
        thread = Thread.ofPlatform().name("bystander").start(this::ask);
        assertThat(TestingServer.comesTrue(() -> asked.get() > 0 || failure != null))
                .isTrue();
    }

    private void ask() {
        try {
            while (!ended) {
                long start = System.nanoTime();
                askOnce();
                longestNanos = Math.max(longestNanos, System.nanoTime() - start);
                asked.incrementAndGet();
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
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

    /** Asks once more, and then asserts that no answer took long. */
    @Override
    public void close() {
        int before = asked.get();
        assertThat(TestingServer.comesTrue(() -> asked.get() > before || failure != null))
                .as("the bystander is answered")
                .isTrue();
        ended = true;
        assertThat(TestingServer.comesTrue(() -> !thread.isAlive())).isTrue();
        System.out.printf("bystander: %d times, longest %.1f ms%n", asked.get(), longestNanos / 1e6);
        assertThat(failure).isNull();
        assertThat(Duration.ofNanos(longestNanos)).isLessThan(LIMIT);
    }
}
