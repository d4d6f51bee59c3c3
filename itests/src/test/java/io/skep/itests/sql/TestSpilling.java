package io.skep.itests.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With little memory, joins, aggregations and sorts spill and return the same rows as without spilling. */
@ExtendWith(SharedServer.class)
final class TestSpilling {
    private static final int PAGE_ROWS = 10_000;

    /** 40,000 rows of about 60 bytes, far more than the 64 KiB of an operator. */
    private static final String ROWS = "CREATE TABLE spilling.t STORED AS ORC AS"
            + " SELECT a.i * 200 + b.i AS k, (a.i * 200 + b.i) % 17 AS g, concat(repeat('x', 40), b.i, '-', a.i) AS s"
            + " FROM (SELECT posexplode(split(space(199), ' ')) AS (i, e)) a"
            + " CROSS JOIN (SELECT posexplode(split(space(199), ' ')) AS (i, e)) b";

    private static final List<String> SPILLS = List.of(
            "SELECT count(*), sum(x.k), min(y.s) FROM spilling.t x JOIN spilling.t y ON x.s = y.s",
            "SELECT count(*), count(y.k) FROM spilling.t x LEFT JOIN spilling.t y ON x.k = y.k + 20000",
            "SELECT count(*), count(x.k), count(y.k) FROM spilling.t x FULL OUTER JOIN spilling.t y ON x.k = y.k + 100",
            "SELECT count(*) FROM spilling.t x WHERE NOT EXISTS (SELECT 1 FROM spilling.t y"
                    + " WHERE y.s = x.s AND y.k > 9)",
            "SELECT count(*), sum(n), min(s) FROM (SELECT s, count(*) AS n FROM spilling.t GROUP BY s) q",
            "SELECT count(*) FROM (SELECT DISTINCT s, k FROM spilling.t) q",
            "SELECT s, k FROM spilling.t ORDER BY s DESC, k",
            "SELECT sum(r), max(m) FROM (SELECT row_number() OVER (PARTITION BY g ORDER BY s) AS r,"
                    + " max(s) OVER (PARTITION BY g) AS m FROM spilling.t) q");

    @Test
    void spillsAndStaysRight(TestServer server) {
        ClientSession session = server.server().sessions().open("spill", "test", Map.of());
        try {
            run(session, "CREATE DATABASE spilling");
            run(session, "SET skep.scheduler=direct");
            run(session, ROWS);
            for (String sql : SPILLS) {
                run(session, "SET skep.operator.max-memory=1073741824");
                Result whole = run(session, sql);
                run(session, "SET skep.operator.max-memory=65536");
                Result spilling = run(session, sql);
                assertThat(spilling.rows()).as(sql).isEqualTo(whole.rows()).isNotEmpty();
                assertThat(spilled(server, whole)).as(sql).isZero();
                assertThat(spilled(server, spilling)).as(sql).isPositive();
            }
        } finally {
            run(session, "DROP DATABASE IF EXISTS spilling CASCADE");
            server.server().sessions().close(session.id());
        }
    }

    private static long spilled(TestServer server, Result result) {
        return server.server()
                .history()
                .find(result.query())
                .flatMap(entry -> entry.stats())
                .orElseThrow()
                .spilledBytes();
    }

    private record Result(String query, List<String> rows) {}

    private static Result run(ClientSession session, String sql) {
        Operation operation = session.execute(sql, false);
        List<String> rows = new ArrayList<>();
        if (operation.schema().isPresent()) {
            ResultPage page = operation.fetch(PAGE_ROWS);
            while (page.rowCount() > 0) {
                collect(page, rows);
                page = operation.fetch(PAGE_ROWS);
            }
        }
        session.close(operation.id());
        return new Result(operation.queryId().value(), rows);
    }

    private static void collect(ResultPage page, List<String> rows) {
        for (Batch batch : page.batches()) {
            for (int row = 0; row < batch.rowCount(); row++) {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < batch.columnCount(); i++) {
                    SqlType type = page.schema().columns().get(i).type();
                    text.append(Datum.of(batch.column(i), row, type)).append(' ');
                }
                rows.add(text.toString());
            }
        }
    }
}
