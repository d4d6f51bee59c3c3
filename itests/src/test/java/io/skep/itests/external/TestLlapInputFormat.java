package io.skep.itests.external;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.itests.server.AuthorizedServer;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a program of Hadoop reads through skep-llap-client.jar, which stands alone, beside what JDBC answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class TestLlapInputFormat {
    private static final String PLAIN = "b, t, s, i, l, d, x, v, y, dt, ts, p, q";

    private Path folder;
    private MapredProcess hadoop;
    private AuthorizedServer site;
    private SkepServer server;
    private Connection root;
    private Connection ann;

    @BeforeAll
    void open(@TempDir Path temporary) throws Exception {
        folder = temporary;
        site = AuthorizedServer.start(folder, List.of("root", "ann"), "secret", Map.of("skep.flight.port", "0"));
        server = site.server();
        root = site.connect("root");
        ann = site.connect("ann");
        run(root, "set role admin");
        ExternalTables.create(root);
        ExternalTables.createSecrets(root, "ann");
        run(root, "grant select on table many to user ann");
        run(root, "grant select on table kinds to user ann");
        hadoop = MapredProcess.start(folder, true);
    }

    @AfterAll
    void close() throws Exception {
        hadoop.close();
        Polling.await("the end of all reads")
                .until(() -> server.flight().orElseThrow().streams().count() == 0
                        && server.snapshot().leftovers().isEmpty());
        root.close();
        ann.close();
        site.close();
    }

    private Map<String, String> job(String query) {
        return Map.of(
                "llap.if.hs2.connection",
                server.jdbcUrl(),
                "llap.if.query",
                query,
                "llap.if.user",
                "ann",
                "llap.if.pwd",
                "secret");
    }

    private static Map<String, String> with(Map<String, String> job, String name, String value) {
        Map<String, String> more = new HashMap<>(job);
        more.put(name, value);
        return more;
    }

    private List<List<String>> rowsOf(String format, int splits, Map<String, String> job) throws IOException {
        return hadoop.run(format, splits, job).rows();
    }

    private String error(Map<String, String> job) throws IOException {
        String error = hadoop.run("rows", 1, job).error();
        assertThat(error).isNotEmpty();
        return error;
    }

    @Test
    void valuesOfAllTypesAreThoseOfJdbc() throws Exception {
        String query = "select " + PLAIN + " from kinds";
        assertThat(rowsOf("rows", 2, job(query))).containsExactlyInAnyOrderElementsOf(Splits.byJdbc(ann, query));
        String nested = "select a, st, map('k', 1, 'l', cast(null as int)) as m from kinds where i = 3";
        assertThat(rowsOf("hive", 2, job(nested))).isEqualTo(List.of(List.of("[1, 2]", "[7, seven]", "{k=1, l=null}")));
    }

    @Test
    void aScanComesInPartsAndAnythingElseWhole() throws Exception {
        MapredProcess.Answer scan = hadoop.run("rows", 3, job("select n, w from many"));
        assertThat(scan.rows()).containsExactlyInAnyOrderElementsOf(Splits.byJdbc(ann, "select n, w from many"));
        assertThat(scan.lines()).contains("hosts [127.0.0.1]");
        String ordered = "select part, count(*) as c from many group by part order by part desc";
        assertThat(rowsOf("hive-base", 3, job(ordered))).isEqualTo(Splits.byJdbc(ann, ordered));
    }

    @Test
    void withoutADriverRowsComeOverFlightSql() throws Exception {
        Map<String, String> flight = with(
                job("select n from many where part = 3"),
                "llap.if.hs2.connection",
                server.flight().orElseThrow().location().toString());
        try (MapredProcess bare = MapredProcess.start(folder, false)) {
            assertThat(bare.run("rows", 3, flight).rows())
                    .containsExactlyInAnyOrderElementsOf(Splits.byJdbc(ann, "select n from many where part = 3"));
            assertThat(bare.run("rows", 3, job("select 1")).error())
                    .contains("hive-jdbc")
                    .contains("skep.flight.port");
            assertThat(bare.run("rows", 3, with(flight, "llap.if.pwd", "wrong")).error())
                    .contains("Error validating the login")
                    .doesNotContain("wrong");
        }
    }

    @Test
    void batchesOfArrowHaveAllRows() throws Exception {
        for (String format : List.of("arrow", "hive-arrow")) {
            MapredProcess.Answer answer = hadoop.run(format, 3, job("select * from many"));
            assertThat(answer.lines().stream()
                            .filter(line -> line.startsWith("batch "))
                            .mapToInt(line -> Integer.parseInt(line.substring("batch ".length())))
                            .sum())
                    .isEqualTo(30_000);
        }
    }

    @Test
    void noSplitsButTheSchema() throws Exception {
        MapredProcess.Answer answer = hadoop.run("rows", 0, job("select i, p, st, x as text from kinds"));
        assertThat(answer.lines())
                .endsWith("splits 1", "[i:int, p:decimal(10,2), st:struct<k:int,w:string>, text:string]");
    }

    @Test
    void theSessionHasTheDatabaseAndTheSettingsOfTheJob() throws Exception {
        Map<String, String> there = with(job("select id from secrets"), "llap.if.database", "sales");
        assertThat(rowsOf("rows", 2, there)).containsExactlyInAnyOrder(List.of("1"), List.of("3"));
        Map<String, String> refused = with(there, "llap.session.queries.for.get.num.splits", "drop table secrets");
        assertThat(error(refused))
                .contains("llap.session.queries.for.get.num.splits")
                .contains("SET name=value");
        Map<String, String> set =
                with(there, "llap.session.queries.for.get.num.splits", "set hive.exec.reducers.max=7");
        assertThat(rowsOf("rows", 2, set)).hasSize(2);
        Map<String, String> unknown = with(there, "llap.session.queries.for.get.num.splits", "set hive.no.such=1");
        assertThat(error(unknown)).contains("hive.no.such");
        assertThat(error(with(there, "llap.if.use.new.split.format", "true"))).contains("llap.if.use.new.split.format");
    }

    @Test
    void whatAUserMayNotSeeStaysUnseen() throws Exception {
        assertThat(error(job("select ward from sales.secrets")))
                .contains("Permission denied")
                .contains("sales.secrets");
        assertThat(rowsOf("rows", 2, job("select id, name from sales.secrets")))
                .containsExactlyInAnyOrder(List.of("1", "*1"), List.of("3", "*3"));
        assertThat(error(with(job("select 1"), "llap.if.pwd", "wrong"))).doesNotContain("wrong");
    }
}
