package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests writes into partitions whose storage differs from that of their table. INTO writes in the partition's format.
 * OVERWRITE converts the partition to the table's current format.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPartitionsOfOtherFormats {
    @TempDir
    private Path folder;

    private TestingEngine engine;
    private SqlSession session;
    private int tables;

    @BeforeAll
    void open() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
        run("set hive.exec.dynamic.partition.mode=nonstrict");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    private List<String> rows(String table) {
        return engine.rows(session, "select * from " + table).stream().sorted().toList();
    }

    /** The initial storage of a table, and the change of it. */
    record Change(String before, String after) {}

    static List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        for (String format : List.of("orc", "parquet", "avro", "rcfile", "sequencefile", "textfile")) {
            changes.add(new Change("stored as textfile", "set fileformat " + format));
            // Like Hive, Skep does not change the format of a table of ORC files.
            if (!format.equals("orc")) {
                changes.add(new Change("stored as " + format, "set fileformat textfile"));
            }
        }
        changes.add(new Change("stored as parquet", "set fileformat orc"));
        changes.add(new Change("stored as textfile", "set serdeproperties ('field.delim' = '|')"));
        changes.add(new Change(
                "row format delimited fields terminated by ';'", "set serdeproperties ('field.delim' = '|')"));
        changes.add(new Change("stored as textfile", "set serde 'org.apache.hadoop.hive.serde2.OpenCSVSerde'"));
        return changes;
    }

    private static final String STATIC = "partition (p = 1) select 2, 'y'";
    private static final String DYNAMIC = "partition (p) select 2, 'y', 1 union all select 3, 'z', 2";

    private String altered(Change change) {
        String table = "f" + tables++;
        run("create table " + table + " (a string, b string) partitioned by (p int) " + change.before());
        run("insert into " + table + " partition (p = 1) values (1, 'x')");
        run("alter table " + table + " " + change.after());
        return table;
    }

    private Partition partition(String table) {
        Table found = engine.catalog().table("default", table).orElseThrow();
        return engine.catalog().partition(found, List.of("1")).orElseThrow();
    }

    private boolean isStoredAsTable(String table) {
        Table found = engine.catalog().table("default", table).orElseThrow();
        return partition(table).storage().format().equals(found.storage().format());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void addedRowsAreReadBesideThoseThatWereThere(Change change) {
        String fixed = altered(change);
        Partition before = partition(fixed);
        run("insert into " + fixed + " " + STATIC);
        assertThat(rows(fixed)).containsExactly("1 | x | 1", "2 | y | 1");
        assertThat(partition(fixed).storage()).isEqualTo(before.storage());
        String dynamic = altered(change);
        run("insert into " + dynamic + " " + DYNAMIC);
        assertThat(rows(dynamic)).containsExactly("1 | x | 1", "2 | y | 1", "3 | z | 2");
        run("insert into " + dynamic + " " + DYNAMIC);
        assertThat(rows(dynamic)).containsExactly("1 | x | 1", "2 | y | 1", "2 | y | 1", "3 | z | 2", "3 | z | 2");
    }

    @ParameterizedTest
    @MethodSource("changes")
    void replacedRowsAreStoredAsTheTableIs(Change change) {
        String fixed = altered(change);
        run("insert overwrite table " + fixed + " " + STATIC);
        assertThat(rows(fixed)).containsExactly("2 | y | 1");
        assertThat(isStoredAsTable(fixed)).isTrue();
        String dynamic = altered(change);
        run("insert overwrite table " + dynamic + " " + DYNAMIC);
        assertThat(rows(dynamic)).containsExactly("2 | y | 1", "3 | z | 2");
        assertThat(isStoredAsTable(dynamic)).isTrue();
        String own = altered(change);
        run("insert overwrite table " + own + " partition (p) select concat(a, '0'), b, p from " + own);
        assertThat(rows(own)).containsExactly("10 | x | 1");
        assertThat(isStoredAsTable(own)).isTrue();
    }

    @Test
    void loadedFilesAreReadAsTheirPartitionIs() throws IOException {
        Path file = Files.writeString(folder.resolve("rows"), "2;y|\n");
        Change change = new Change(
                "row format delimited fields terminated by ';'", "set serdeproperties ('field.delim' = '|')");
        String added = altered(change);
        run("load data local inpath '" + file + "' into table " + added + " partition (p = 1)");
        assertThat(rows(added)).containsExactly("1 | x | 1", "2 | y| | 1");
        String replaced = altered(change);
        run("load data local inpath '" + file + "' overwrite into table " + replaced + " partition (p = 1)");
        assertThat(rows(replaced)).containsExactly("2;y |  | 1");
        assertThat(isStoredAsTable(replaced)).isTrue();
    }

    @Test
    void loadedFilesOfTheTablesFormatReplaceOthers() throws IOException {
        String orc = altered(new Change("stored as orc", "set fileformat orc"));
        Path file = folder.resolve("orc");
        try (Stream<Path> files =
                Files.list(Path.of(partition(orc).storage().location().substring("file:".length())))) {
            Files.copy(files.findFirst().orElseThrow(), file);
        }
        String table = altered(new Change("stored as textfile", "set fileformat orc"));
        run("load data local inpath '" + file + "' overwrite into table " + table + " partition (p = 1)");
        assertThat(rows(table)).containsExactly("1 | x | 1");
    }

    @Test
    void concatenatedRowsStayAsTheyAreStored() {
        String table = altered(new Change("stored as rcfile", "set fileformat orc"));
        run("insert into " + table + " " + STATIC);
        Partition before = partition(table);
        run("alter table " + table + " partition (p = 1) concatenate");
        assertThat(rows(table)).containsExactly("1 | x | 1", "2 | y | 1");
        assertThat(partition(table).storage()).isEqualTo(before.storage());
    }
}
