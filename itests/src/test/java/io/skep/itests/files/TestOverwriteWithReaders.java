package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A reader of a table that is being overwritten sees either all of the old rows or all of the new ones. */
@ExtendWith(SharedServer.class)
final class TestOverwriteWithReaders {
    private static final int WRITES = 10;
    private static final int ROWS = 500;

    @Test
    void seesOldOrNewRows(TestServer server) throws Exception {
        run(server, "CREATE DATABASE beside");
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            run(server, "CREATE TABLE beside.t (version int, i int) STORED AS ORC");
            run(server, write(0));
            Future<Integer> reader = threads.submit(() -> readUntil(server, done));
            Future<Integer> other = threads.submit(() -> readUntil(server, done));
            try {
                for (int version = 1; version <= WRITES; version++) {
                    run(server, write(version));
                }
            } finally {
                done.set(true);
            }
            assertThat(reader.get()).isPositive();
            assertThat(other.get()).isPositive();
        } finally {
            run(server, "DROP DATABASE beside CASCADE");
        }
    }

    private static String write(int version) {
        return "INSERT OVERWRITE TABLE beside.t SELECT " + version + ", i FROM (SELECT posexplode(split(space("
                + (ROWS - 1) + "), ' ')) AS (i, e)) n";
    }

    private static int readUntil(TestServer server, AtomicBoolean done) {
        int reads = 0;
        do {
            String seen = run(
                    server,
                    "SELECT concat(count(*), ' rows of ', count(DISTINCT version), ', ',"
                            + " count(DISTINCT i)) FROM beside.t");
            assertThat(seen).isEqualTo(ROWS + " rows of 1, " + ROWS);
            reads++;
        } while (!done.get());
        return reads;
    }

    /** Returns the first value, or an empty text if there is none. */
    private static String run(TestServer server, String sql) {
        ClientSession session = server.server().sessions().open("beside", "test", Map.of());
        try {
            Operation operation = session.execute(sql, false);
            return operation.schema().isEmpty() ? "" : first(operation.fetch(1));
        } finally {
            server.server().sessions().close(session.id());
        }
    }

    private static String first(ResultPage page) {
        SqlType type = page.schema().columns().getFirst().type();
        return Datum.of(page.batches().getFirst().column(0), 0, type).toString();
    }
}
