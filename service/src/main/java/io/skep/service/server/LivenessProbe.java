package io.skep.service.server;

import io.skep.common.query.QueryId;
import io.skep.ql.SqlEngine;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.service.wire.ThriftServer;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The question that a server asks itself: through its port, so that accepting and logging in are seen; then a query, compiled
 * and, where the server has executors of its own, run by them. It is no session of a client and does not stand in the
 * history. It reads no file: a file system that hangs is not cured by another start.
 */
final class LivenessProbe implements LivenessWatch.Probe {
    private static final Logger LOG = LoggerFactory.getLogger(LivenessProbe.class);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final String QUERY = "SELECT count(*) FROM (SELECT explode(array(1, 2, 3)) AS a) t";

    private final ThriftServer thrift;
    private final SqlEngine engine;
    private final boolean ownExecutors;
    private volatile String stage = "a connection";
    private int asked;

    LivenessProbe(ThriftServer thrift, SqlEngine engine, boolean ownExecutors) {
        this.thrift = thrift;
        this.engine = engine;
        this.ownExecutors = ownExecutors;
    }

    @Override
    public String stage() {
        return stage;
    }

    @Override
    public void ask() throws InterruptedException {
        stage = "a connection";
        connect();
        stage = "a query";
        try (SqlSession session = engine.openSession("skep", StartTraining.SETTINGS);
                SqlStatement statement = session.compile(new QueryId("liveness_" + asked++), QUERY)) {
            if (ownExecutors) {
                statement.run(line -> {});
                while (statement.results().next().isPresent()) {
                    // Only the end counts.
                }
            }
        }
    }

    private void connect() throws InterruptedException {
        while (true) {
            try {
                thrift.awaitAnswer(ANSWER_TIMEOUT);
                return;
            } catch (IOException e) {
                LOG.debug("the server's own port does not answer: {}", e.toString());
            }
            Thread.sleep(Duration.ofSeconds(1));
        }
    }
}
