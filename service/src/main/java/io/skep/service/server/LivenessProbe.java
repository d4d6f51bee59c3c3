package io.skep.service.server;

import io.skep.common.query.QueryId;
import io.skep.llap.server.LlapDaemon;
import io.skep.ql.SqlEngine;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The probe that a server sends to itself. First it connects to the ports for clients, which covers accepting and
 * login. Then it compiles a query, which the server's own executors run if it has any. Last it uses a thread that
 * reads files. The probe is not a client session and does not appear in the history. It reads no file, because a
 * restart does not fix a slow disk. However, it detects when all file threads hang. Daemons in other processes monitor
 * themselves: the probe does not cover them, and only their progress counts.
 */
final class LivenessProbe implements LivenessWatch.Probe {
    private static final Logger LOG = LoggerFactory.getLogger(LivenessProbe.class);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final String QUERY = "SELECT count(*) FROM (SELECT explode(array(1, 2, 3)) AS a) t";

    private final ClientPorts ports;
    private final SqlEngine engine;
    private final Optional<LlapDaemon> own;
    private volatile String stage = "a connection";
    private int asked;

    /** @param own the daemon of this process, if queries run in it */
    LivenessProbe(ClientPorts ports, SqlEngine engine, Optional<LlapDaemon> own) {
        this.ports = ports;
        this.engine = engine;
        this.own = own;
    }

    @Override
    public String stage() {
        return stage;
    }

    @Override
    public void ask() throws InterruptedException, ExecutionException {
        stage = "a connection";
        connect();
        stage = "a query";
        try (SqlSession session = engine.openServerSession(WarmUp.SETTINGS);
                SqlStatement statement = session.compile(new QueryId("liveness_" + asked++), QUERY)) {
            if (own.isPresent()) {
                statement.run(line -> {});
                while (statement.results().next().isPresent()) {
                    // Only the end of the results matters.
                }
            }
        }
        if (own.isPresent()) {
            stage = "a read";
            own.get().probeIoThreads().get();
        }
    }

    private void connect() throws InterruptedException {
        while (true) {
            try {
                ports.awaitAnswer(ANSWER_TIMEOUT);
                return;
            } catch (IOException e) {
                LOG.debug("the server's own port does not answer: {}", e.toString());
            }
            Thread.sleep(Duration.ofSeconds(1));
        }
    }
}
