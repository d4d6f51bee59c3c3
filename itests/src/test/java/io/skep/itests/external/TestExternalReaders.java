package io.skep.itests.external;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.error.SkepException;
import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedJars;
import io.skep.itests.server.AuthorizedServer;
import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.Login;
import io.skep.service.flight.FlightQuery;
import io.skep.service.server.SkepServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with Flight SQL, a file of users and authorization: what its users read as Arrow, beside JDBC. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class TestExternalReaders {
    private static final Path PYTHON = Path.of(System.getProperty("skep.python", "python"));

    private final RootAllocator memory = new RootAllocator();
    private final ExternalReader reader = new ExternalReader(memory, Optional.empty());
    private Path folder;
    private AuthorizedServer site;
    private SkepServer server;
    private Connection root;
    private Connection ann;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        this.folder = folder;
        site = AuthorizedServer.start(folder, List.of("root", "ann"), "secret", Map.of("skep.flight.port", "0"));
        server = site.server();
        root = site.connect("root");
        ann = site.connect("ann");
        run(root, "set role admin");
        ExternalTables.create(root);
        run(root, "create table own (a int, b string) stored as orc");
        run(root, "insert into own values (1, 'x')");
        run(root, "grant select (a) on table own to user ann");
        run(root, "grant select on table many to user ann");
        run(root, "grant select on table kinds to user ann");
    }

    @AfterAll
    void close() throws Exception {
        root.close();
        ann.close();
        site.close();
        memory.close();
    }

    @AfterEach
    void nothingIsLeft() {
        Polling.await("the end of all reads")
                .until(() -> server.flight().orElseThrow().streams().count() == 0
                        && server.flight().orElseThrow().streams().allocator().getAllocatedMemory() == 0
                        && server.snapshot().leftovers().isEmpty());
        assertThat(memory.getAllocatedMemory()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select b, t, s, i, l, d, x, v, y, dt, p, q, a, st from kinds",
                "select ts, c from kinds where ts is not null",
                "select * from many",
                "select w, n + 1 as m from many where part = 3 and n > 100",
                "select 'a\\'b' as quoted, n from many where w = 'w7'",
                "select part, count(*) as c, max(n) as m from many group by part",
                "select x.n from many x join many y on x.n = y.n where y.part = 5",
                "select n, w from many limit 10",
                "select n from many where n < 0",
                "select table_name, column_name, data_type from information_schema.columns",
                "select 1",
                "select n from many where part = 1 union all select n from many where part = 2"
            })
    void rowsAreThoseOfJdbc(String query) throws SQLException {
        List<List<String>> expected = Splits.byJdbc(ann, query);
        for (int count : List.of(1, 3)) {
            List<ExternalSplit> splits = Splits.of(ann, query, count);
            assertThat(splits.size()).isLessThanOrEqualTo(count);
            List<List<String>> read = Splits.read(reader, splits);
            if (query.contains("limit")) {
                assertThat(read).hasSameSizeAs(expected);
            } else {
                assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    void orderedRowsAreOrdered() throws SQLException {
        String query = "select n from many order by n desc";
        assertThat(Splits.read(reader, Splits.of(ann, query, 5))).isEqualTo(Splits.byJdbc(ann, query));
    }

    @Test
    void theCallHasTheColumnsOfHive() throws SQLException {
        List<List<String>> typed = Splits.byJdbc(ann, "select get_llap_splits('select n from many', 2)");
        assertThat(typed)
                .extracting(List::getFirst)
                .startsWith("schema-split", "plan-split")
                .endsWith("");
        assertThat(Splits.byJdbc(ann, "select get_splits('select n from many', 0)"))
                .hasSize(1);
        assertThat(Splits.byJdbc(ann, "select get_splits('select part, count(*) from many group by part', 9)"))
                .hasSize(1);
    }

    @Test
    void whoMayNotReadGetsTheErrorOfJdbc() {
        for (String query : List.of("select b from own", "select * from own", "select count(b) from own")) {
            String expected = errorOf(() -> Splits.byJdbc(ann, query));
            assertThat(expected).contains("Permission denied").contains("default.own");
            assertThat(errorOf(() -> Splits.of(ann, query, 2))).isEqualTo(expected);
        }
        assertThat(errorOf(() -> Splits.of(ann, "select a from nowhere", 2)))
                .isEqualTo(errorOf(() -> Splits.byJdbc(ann, "select a from nowhere")));
        assertThat(errorOf(() -> Splits.of(ann, "insert into own values (2, 'y')", 2)))
                .contains("takes the text of a query");
        assertThat(errorOf(() -> Splits.byJdbc(ann, "select get_splits(w, 2) from many")))
                .contains("get_splits");
    }

    private interface Call {
        Object run() throws SQLException;
    }

    private static String errorOf(Call call) {
        try {
            call.run();
            return "no error";
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void aWithdrawnPrivilegeCountsForStatementsThatTheServerRuns() throws SQLException {
        run(root, "create table later (a int) stored as orc");
        run(root, "insert into later values (1)");
        run(root, "grant select on table later to user ann");
        List<ExternalSplit> splits = Splits.of(ann, "select count(a) as c from later", 1);
        assertThat(Splits.read(reader, splits)).isEqualTo(List.of(List.of("1")));
        run(root, "revoke select on table later from user ann");
        assertThatThrownBy(() -> Splits.read(reader, splits)).hasMessageContaining("Permission denied");
    }

    /** Both by the daemon, which reads a scan, and by the server, which runs everything else. */
    @Test
    void rowFiltersAndMasksHold() throws SQLException {
        run(root, "create table patients (id int, ward string, name string) stored as orc");
        run(root, "insert into patients values (1, 'A', 'Ada'), (2, 'B', 'Bob'), (3, 'A', 'Abe')");
        run(root, "grant select on table patients to user ann");
        run(root, "alter table patients set row filter (ward = 'A' or current_user() = 'root')");
        run(
                root,
                "alter table patients alter column name set mask (if(current_user() = 'root', name, concat('*', id)))");
        String scan = "select id, name from patients";
        assertThat(Splits.read(reader, Splits.of(ann, scan, 3)))
                .containsExactlyInAnyOrder(List.of("1", "*1"), List.of("3", "*3"));
        assertThat(Splits.read(reader, Splits.of(ann, "select name from patients where name > ' ' order by id", 3)))
                .isEqualTo(List.of(List.of("*1"), List.of("*3")));
        assertThat(Splits.read(reader, Splits.of(ann, "select count(*) as c, max(name) as m from patients", 1)))
                .isEqualTo(List.of(List.of("2", "*3")));
        assertThat(Splits.read(reader, Splits.of(root, scan, 3)))
                .containsExactlyInAnyOrder(List.of("1", "Ada"), List.of("2", "Bob"), List.of("3", "Abe"));
    }

    @Test
    void readsAreInTheAuditLog() throws Exception {
        run(root, "create table audited (id int) stored as orc");
        run(root, "insert into audited values (1)");
        run(root, "grant select on table audited to user ann");
        Path log = folder.resolve("data/audit/audit.log");
        int before = Files.readAllLines(log).size();
        assertThat(Splits.read(reader, Splits.of(ann, "select id from audited", 1)))
                .hasSize(1);
        List<String> lines = Files.readAllLines(log);
        assertThat(lines.subList(before, lines.size()))
                .hasSize(2)
                .satisfiesExactly(
                        statement -> assertThat(statement).contains("\"STATEMENT\"", "audited"),
                        read -> assertThat(read)
                                .contains(
                                        "\"event\":\"READ\"",
                                        "\"transport\":\"FLIGHT\"",
                                        "\"user\":\"ann\"",
                                        "ALLOWED"));
    }

    @Test
    @SuppressWarnings("try")
    void nothingIsAnsweredWithoutALogin() throws Exception {
        try (FlightClient anonymous =
                reader.connect(server.flight().orElseThrow().location())) {
            assertThatThrownBy(() -> anonymous.getInfo(FlightDescriptor.command(new byte[] {1})))
                    .isInstanceOfSatisfying(
                            FlightRuntimeException.class,
                            e -> assertThat(e.status().code()).isEqualTo(FlightStatusCode.UNAUTHENTICATED));
        }
    }

    @Test
    void aStatementThatOthersCouldNotRepeatIsRefused() throws SQLException {
        try (Connection own = site.connect("ann")) {
            run(own, "create temporary table only_here (a int)");
            assertThat(errorOf(() -> Splits.of(own, "select count(*) from only_here", 1)))
                    .contains("a session of their own");
        }
    }

    @Test
    void rowsAreWrittenAsLinesAndAsArrow() throws IOException {
        FlightQuery asked = query("secret");
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        asked.write(
                "select part, count(*) as c, cast(null as string) as n, 'a,\"b' as t from many group by part"
                        + " order by part limit 2",
                FlightQuery.Format.CSV,
                lines);
        assertThat(lines.toString(StandardCharsets.UTF_8))
                .isEqualTo("part,c,n,t\n0,4286,,\"a,\"\"b\"\n1,4286,,\"a,\"\"b\"\n");
        ByteArrayOutputStream arrow = new ByteArrayOutputStream();
        asked.write("select * from many", FlightQuery.Format.ARROW, arrow);
        long rows = 0;
        try (ArrowStreamReader read = new ArrowStreamReader(new ByteArrayInputStream(arrow.toByteArray()), memory)) {
            while (read.loadNextBatch()) {
                rows += read.getVectorSchemaRoot().getRowCount();
            }
        }
        assertThat(rows).isEqualTo(30_000);
        assertThatThrownBy(() -> asked.write("select b from own", FlightQuery.Format.CSV, lines))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("Permission denied");
        assertThatThrownBy(() -> query("wrong").write("select 1", FlightQuery.Format.CSV, lines))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("Error validating the login");
    }

    private FlightQuery query(String password) {
        return new FlightQuery(
                server.flight().orElseThrow().location(), Optional.of(new Login("ann", password)), Optional.empty());
    }

    @Test
    void adbcReadsTheSame() throws Exception {
        assumeTrue(Files.isExecutable(PYTHON), PYTHON + " with ADBC; bin/test makes it");
        Path script = ReleasedJars.home().resolve("itests/src/test/python/test_flightsql.py");
        Process process = new ProcessBuilder(
                        PYTHON.toString(),
                        script.toString(),
                        server.flight().orElseThrow().location().toString(),
                        "ann",
                        "secret")
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(output.lines()).contains("ok rows", "ok shapes", "ok errors", "ok login");
        } finally {
            process.destroyForcibly();
        }
    }
}
