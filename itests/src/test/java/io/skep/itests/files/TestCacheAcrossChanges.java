package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.llap.server.cache.TableCacheStats;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that cached data of a file is used as long as the file and the way to read it are unchanged. After a change it
 * must not be used.
 */
@ExtendWith(SharedServer.class)
final class TestCacheAcrossChanges {
    private static final String ROWS = "select i, i * 2 from (select posexplode(split(space(999), ' ')) as (i, e)) n";
    private static final int MAX_READS = 200;

    private final TestServer server;
    private final ClientSession session;

    TestCacheAcrossChanges(TestServer server) {
        this.server = server;
        this.session = server.server().sessions().open("me", "test", Map.of("hive.compute.query.using.stats", "false"));
    }

    @BeforeEach
    void makeDatabase() {
        run("create database changes");
        run("use changes");
    }

    @AfterEach
    void dropDatabase() {
        run("drop database changes cascade");
        server.server().sessions().close(session.id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet", "textfile", "rcfile", "sequencefile", "jsonfile"})
    void aTableKeepsWhatIsCachedOfItsOldFiles(String format) {
        run("create table t (a int, b bigint) stored as " + format);
        run("insert into t " + ROWS);
        keepsTheCache("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet", "textfile", "rcfile", "sequencefile", "jsonfile"})
    void soDoesAPartitionedTable(String format) {
        run("create table t (a int, b bigint) partitioned by (p int) stored as " + format);
        run("insert into t partition (p = 1) " + ROWS);
        run("insert into t partition (p = 2) " + ROWS);
        keepsTheCache(" partition (p = 1)");
    }

    private void keepsTheCache(String partition) {
        long chunks = awaitCached();
        keeps(chunks, "analyze table t" + (partition.isEmpty() ? "" : " partition (p)") + " compute statistics");
        keeps(chunks, "analyze table t compute statistics for columns");
        keeps(chunks, "alter table t set tblproperties ('note' = 'x', 'orc.compress' = 'NONE', 'comment' = 'y')");
        keeps(chunks, "alter table t add columns (c string)" + (partition.isEmpty() ? "" : " cascade"));
        run("insert into t" + partition + " values (-5, -5, 'new')");
        long misses = misses();
        long hits = hits();
        run("select sum(a), sum(b) from t");
        assertThat(misses() - misses).as("chunks of the new file").isEqualTo(2);
        assertThat(hits() - hits).as("chunks of the old files").isEqualTo(chunks);
    }

    private void keeps(long chunks, String change) {
        run(change);
        long misses = misses();
        long hits = hits();
        run("select sum(a), sum(b) from t");
        assertThat(misses() - misses).as(change).isZero();
        assertThat(hits() - hits).as(change).isEqualTo(chunks);
    }

    /**
     * Returns the number of chunks once all of them are cached. The cache does not keep a file that has just been
     * written.
     */
    private long awaitCached() {
        for (int i = 0; i < MAX_READS; i++) {
            long misses = misses();
            long hits = hits();
            run("select sum(a), sum(b) from t");
            if (misses() == misses) {
                assertThat(hits()).isGreaterThan(hits);
                return hits() - hits;
            }
        }
        throw new AssertionError("nothing is kept of the table");
    }

    /** "an" and "c0" have the same hash code, and so do "to" and "v1". */
    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet"})
    void columnsWhoseNamesHaveOneHashAreToldApart(String format) {
        run("create table src3 (id int, c0 int, an int) stored as " + format);
        run("insert into src3 values (1, 10, 1000), (2, 20, 2000)");
        for (String name : List.of("c0", "an")) {
            run("create external table e_" + name + " (id int, " + name + " int) stored as " + format + " location '"
                    + location("src3") + "'");
        }
        for (int i = 0; i < 3; i++) {
            assertThat(run("select cast(sum(c0) as string) from e_c0")).isEqualTo("30");
            assertThat(run("select cast(sum(an) as string) from e_an")).isEqualTo("3000");
        }
    }

    /** The last column contains the rest of a line, so the result depends on which column is last. */
    @Test
    void otherColumnsDecideWhereTheFormatSaysSo() {
        run("create table t (a string, b string) row format delimited fields terminated by ','"
                + " tblproperties ('serialization.last.column.takes.rest' = 'true')");
        run("create table raw (line string)");
        run("insert into raw values ('1,2,3')");
        run("alter table t set location '" + location("raw") + "'");
        for (int i = 0; i < 3; i++) {
            assertThat(run("select max(b) from t")).isEqualTo("2,3");
        }
        run("alter table t add columns (c string)");
        assertThat(run("select max(b) from t")).isEqualTo("2");
        assertThat(run("select max(c) from t")).isEqualTo("3");
    }

    private String location(String table) {
        return server.server()
                .catalog()
                .table("changes", table)
                .orElseThrow()
                .storage()
                .location();
    }

    private long hits() {
        TableCacheStats.Snapshot stats =
                server.server().snapshot().cache().tables().get("changes.t");
        return stats == null ? 0 : stats.hits();
    }

    private long misses() {
        TableCacheStats.Snapshot stats =
                server.server().snapshot().cache().tables().get("changes.t");
        return stats == null ? 0 : stats.misses();
    }

    /** Returns the first value, or an empty text if there is none. */
    private String run(String sql) {
        try (Operation operation = session.execute(sql, false)) {
            return operation.schema().isEmpty() ? "" : first(operation.fetch(1));
        }
    }

    private static String first(ResultPage page) {
        SqlType type = page.schema().columns().getFirst().type();
        return Datum.of(page.batches().getFirst().column(0), 0, type).toString();
    }
}
