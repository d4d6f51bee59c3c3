package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LOAD, TRUNCATE, partitions over folders, and plain tables that are made transactional. Answers are those of Hive
 * 4.0.1 to the same statements.
 */
final class TestTransactionalLoads extends TransactionalStatements {
    private static final String INSERT_ONLY =
            " tblproperties ('transactional'='true', 'transactional_properties'='insert_only')";

    @TempDir
    private Path outside;

    @BeforeEach
    void makeTables() {
        run("create table t (a int, b string)" + FULL);
        run("create table plain (a int, b string) stored as orc");
        run("insert into plain values (1,'x'),(2,'y')");
    }

    private List<String> files(String table) throws IOException {
        Path folder = engine.folder(table);
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns a folder with copies of the files of the plain table, under other names. */
    private Path folder(String name, String... files) throws IOException {
        Path folder = Files.createDirectories(outside.resolve(name));
        for (String file : files) {
            Files.copy(engine.folder("plain").resolve("000000_0"), folder.resolve(file));
        }
        return folder;
    }

    @Test
    void filesAreLoadedAsDeltas() throws IOException {
        run("insert into t values (9,'q')");
        run("load data inpath '" + folder("in", "some.orc", "other") + "' into table t");
        assertThat(rows("select a, b, row__id.writeid, row__id.rowid from t order by a, row__id.bucketid"))
                .containsExactly("1|x|2|0", "1|x|2|0", "2|y|2|1", "2|y|2|1", "9|q|1|0");
        assertThat(rows("select distinct row__id.bucketid from t order by row__id.bucketid"))
                .containsExactly("536870912", "536936448");
        assertThat(files("t")).contains("delta_0000002_0000002_0000/000000_0", "delta_0000002_0000002_0000/000001_0");
        assertThat(outside.resolve("in")).isEmptyDirectory();
        run("delete from t where a = 1");
        run("update t set b = 'new' where a = 2");
        assertThat(rows("select a, b from t order by a")).containsExactly("2|new", "2|new", "9|q");
    }

    @Test
    void filesReplaceRows() throws IOException {
        run("insert into t values (9,'q')");
        run("load data local inpath '" + folder("in", "a") + "' overwrite into table t");
        assertThat(rows("select a, b from t order by a")).containsExactly("1|x", "2|y");
        assertThat(files("t")).contains("base_0000002/000000_0");
        assertThat(outside.resolve("in").resolve("a")).exists();
        run("load data local inpath '" + folder("more", "b") + "' into table t");
        assertThat(rows("select count(*) from t")).containsExactly("4");
        run("insert overwrite table t values (5,'e')");
        assertThat(rows("select a, b from t")).containsExactly("5|e");
    }

    @Test
    void partitionsAreLoaded() throws IOException {
        run("create table p (a int, b string) partitioned by (d string)" + FULL);
        run("load data inpath '" + folder("in", "a") + "' into table p partition (d='new')");
        run("load data inpath '" + folder("more", "a") + "' into table p partition (d='new')");
        assertThat(rows("select a, b, d, row__id.writeid from p order by a, row__id.writeid"))
                .containsExactly("1|x|new|1", "1|x|new|2", "2|y|new|1", "2|y|new|2");
        run("load data inpath '" + folder("third", "a") + "' overwrite into table p partition (d='new')");
        assertThat(rows("select a, b, d, row__id.writeid from p order by a")).containsExactly("1|x|new|3", "2|y|new|3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"textfile", "orc"})
    void insertOnlyTablesAreLoaded(String format) throws IOException {
        run("create table plain2 (a int, b string) stored as " + format);
        run("insert into plain2 values (1,'x')");
        Path file = engine.folder("plain2").resolve("000000_0");
        Path in = Files.createDirectories(outside.resolve("in"));
        Files.copy(file, in.resolve("one.data"));
        run("create table mm (a int, b string) stored as " + format + INSERT_ONLY);
        run("insert into mm values (5,'e')");
        run("load data local inpath '" + in + "' into table mm");
        assertThat(rows("select a, b from mm order by a")).containsExactly("1|x", "5|e");
        assertThat(files("mm")).contains("delta_0000002_0000002_0000/one.data");
        run("load data local inpath '" + in + "' overwrite into table mm");
        assertThat(rows("select a, b from mm order by a")).containsExactly("1|x");
        assertThat(files("mm")).contains("base_0000003/one.data");
    }

    @Test
    void filesOfOtherTransactionalTablesAreRefused() throws IOException {
        run("insert into t values (9,'q')");
        Path in = Files.createDirectories(outside.resolve("in"));
        Files.copy(engine.folder("t").resolve("delta_0000001_0000001_0000/bucket_00000_0"), in.resolve("000000_0"));
        for (String into : List.of("into table t", "overwrite into table t")) {
            assertThatThrownBy(() -> run("load data local inpath '" + in + "' " + into))
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining("was created by Acid write");
        }
        assertThat(rows("select a from t")).containsExactly("9");
    }

    @Test
    void bucketsAreNamed() throws IOException {
        run("create table bb (a int, b string) clustered by (b) into 2 buckets" + FULL);
        Path in = folder("in", "000001_0");
        run("load data local inpath '" + in + "' into table bb");
        assertThat(rows("select a from bb order by a")).as("divided anew").containsExactly("1", "2");
        assertThat(Files.exists(in.resolve("000001_0"))).isTrue();
        run("truncate table bb");
        run("set hive.strict.checks.bucketing=false");
        run("load data local inpath '" + in + "' into table bb");
        assertThat(rows("select a, row__id.bucketid from bb order by a")).containsExactly("1|536936448", "2|536936448");
        Path wrong = folder("wrong", "000007_0");
        assertThatThrownBy(() -> run("load data local inpath '" + wrong + "' into table bb"))
                .isInstanceOf(SkepException.class);
        run("load data local inpath '" + folder("more", "000001_0.orc") + "' into table bb");
        assertThat(rows("select count(*) from bb")).containsExactly("4");
    }

    @Test
    void tablesAreTruncated() throws IOException {
        run("insert into t values (1,'x'),(2,'y')");
        run("delete from t where a = 1");
        run("truncate table t");
        assertThat(rows("select * from t")).isEmpty();
        assertThat(rows("select count(*) from t")).containsExactly("0");
        assertThat(files("t")).contains("base_0000003/_metadata_acid");
        assertThat(engine.folder("t").resolve("base_0000003/_metadata_acid"))
                .content()
                .isEqualTo("{\"thisFileVersion\":\"0\",\"dataFormat\":\"truncated\"}");
        run("insert into t values (3,'z')");
        run("truncate table t");
        run("insert into t values (4,'u')");
        assertThat(rows("select a, row__id.writeid from t")).containsExactly("4|6");
        run("create table mm (a int) stored as textfile" + INSERT_ONLY);
        run("insert into mm values (1)");
        run("truncate table mm");
        assertThat(rows("select * from mm")).isEmpty();
        run("insert into mm values (2)");
        assertThat(rows("select * from mm")).containsExactly("2");
    }

    @Test
    void partitionsAreTruncated() {
        run("create table p (a int) partitioned by (d string, e string)" + FULL);
        run("insert into p partition (d, e) values (1,'x','1'),(2,'x','2'),(3,'y','1')");
        run("truncate table p partition (d='x', e='1')");
        assertThat(rows("select a from p order by a")).containsExactly("2", "3");
        run("truncate table p partition (d='x')");
        assertThat(rows("select a from p order by a")).containsExactly("3");
        run("truncate table p");
        assertThat(rows("select a from p order by a")).isEmpty();
        assertThat(rows("show partitions p")).containsExactly("d=x/e=1", "d=x/e=2", "d=y/e=1");
        run("create table nothing (a int) partitioned by (d string)" + FULL);
        run("truncate table nothing");
    }

    @Test
    void foldersBecomePartitions() throws IOException {
        run("create table p (a int, b string) partitioned by (d string)" + FULL);
        Path in = folder("in", "data.orc");
        run("alter table p add partition (d='x') location '" + in + "' partition (d='y')");
        assertThat(rows("select a, b, d, row__id.writeid from p order by a")).containsExactly("1|x|x|1", "2|y|x|1");
        assertThat(files("p")).contains("d=x/delta_0000001_0000001_0000/000000_0");
        assertThat(in).isEmptyDirectory();
        assertThat(rows("show partitions p")).containsExactly("d=x", "d=y");
        Path more = folder("more", "data.orc");
        run("alter table p add if not exists partition (d='x') location '" + more + "'");
        assertThat(more.resolve("data.orc")).exists();
        assertThatThrownBy(() -> run("alter table p add partition (d='x') location '" + more + "'"))
                .isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> run("alter table p add partition (d='z') location '" + engine.folder("plain") + "'"))
                .isInstanceOf(SkepException.class);
        assertThat(rows("select count(*) from plain")).containsExactly("2");
        assertThat(rows("select count(*) from p")).containsExactly("2");
    }

    @Test
    void foldersOfOtherTablesAreNotRepaired() throws IOException {
        run("create table p (a int, b string) partitioned by (d string)" + FULL);
        run("insert into p partition (d='x') values (1,'x')");
        Files.createDirectories(engine.folder("p").resolve("d=y/delta_0000009_0000009_0000"));
        Files.copy(
                engine.folder("p").resolve("d=x/delta_0000001_0000001_0000/bucket_00000_0"),
                engine.folder("p").resolve("d=y/delta_0000009_0000009_0000/bucket_00000_0"));
        assertThatThrownBy(() -> run("msck repair table p"))
                .hasMessageContaining("is greater than the maximum allocated in the metastore 1");
        assertThat(rows("show partitions p")).containsExactly("d=x");
        Files.move(
                engine.folder("p").resolve("d=y/delta_0000009_0000009_0000"),
                engine.folder("p").resolve("d=y/delta_0000001_0000001_0000"));
        run("msck repair table p");
        assertThat(rows("select a, d from p order by d")).containsExactly("1|x", "1|y");
    }

    @Test
    void plainTablesGetRowIds() throws IOException {
        run("insert into plain values (3,'z')");
        run("alter table plain set tblproperties ('transactional'='true')");
        assertThat(rows("show tblproperties plain")).contains("transactional|true", "transactional_properties|default");
        assertThat(String.join("\n", rows("describe formatted plain"))).doesNotContain("COLUMN_STATS_ACCURATE");
        assertThat(rows("select a, b, row__id.writeid, row__id.bucketid, row__id.rowid from plain order by a"))
                .containsExactly("1|x|0|536870912|0", "2|y|0|536870912|1", "3|z|0|536870912|2");
        assertThat(files("plain")).containsExactly("000000_0", "000000_0_copy_1");
        run("insert into plain values (4,'u')");
        assertThat(rows("select row__id.writeid from plain where a = 4")).containsExactly("10000001");
        run("delete from plain where a = 2");
        run("update plain set b = 'new' where a = 3");
        assertThat(rows("select a, b from plain order by a")).containsExactly("1|x", "3|new", "4|u");
        assertThat(rows("select count(*), max(a) from plain")).containsExactly("3|4");
        run("truncate table plain");
        assertThat(rows("select * from plain")).isEmpty();
    }

    @Test
    void partitionedTablesGetRowIds() {
        run("create table p (a int) partitioned by (d string) stored as orc");
        run("insert into p partition (d) values (1,'x'),(2,'y')");
        run("alter table p set tblproperties ('transactional'='true')");
        run("insert into p partition (d='x') values (5)");
        run("update p set a = a + 10 where d = 'y'");
        assertThat(rows("select a, d from p order by a")).containsExactly("1|x", "5|x", "12|y");
        run("analyze table p compute statistics for columns");
        assertThat(rows("select count(*) from p")).containsExactly("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"textfile", "parquet", "orc"})
    void plainTablesBecomeInsertOnly(String format) throws IOException {
        run("create table mm (a int, b string) stored as " + format);
        run("insert into mm values (1,'x')");
        run("insert into mm values (2,'y')");
        run("alter table mm set tblproperties" + " ('transactional'='true', 'transactional_properties'='insert_only')");
        assertThat(rows("select a, b from mm order by a")).containsExactly("1|x", "2|y");
        assertThat(files("mm"))
                .containsExactly("delta_0000001_0000001_0000/000000_0", "delta_0000001_0000001_0000/000000_0_copy_1");
        run("insert into mm values (3,'z')");
        assertThat(rows("select a, b from mm order by a")).containsExactly("1|x", "2|y", "3|z");
        run("insert overwrite table mm values (4,'u')");
        assertThat(rows("select a, b from mm order by a")).containsExactly("4|u");
        run("create table pm (a int) partitioned by (d string) stored as " + format);
        run("insert into pm partition (d) values (1,'x'),(2,'y')");
        run("alter table pm set tblproperties" + " ('transactional'='true', 'transactional_properties'='insert_only')");
        run("insert into pm partition (d='x') values (3)");
        assertThat(rows("select a, d from pm order by a")).containsExactly("1|x", "2|y", "3|x");
    }

    @Test
    void insertOnlyTablesGetRowIds() throws IOException {
        run("create table mm (a int, b string) stored as orc" + INSERT_ONLY);
        run("insert into mm values (1,'x')");
        run("alter table mm set tblproperties ('transactional'='true', 'transactional_properties'='default')");
        run("insert into mm values (2,'y')");
        assertThat(rows("select a, b, row__id.writeid, row__id.rowid from mm order by a"))
                .containsExactly("1|x|1|0", "2|y|2|0");
        run("update mm set b = 'new' where a = 1");
        assertThat(rows("select a, b from mm order by a")).containsExactly("1|new", "2|y");
        run("create table named (a int, b string) stored as orc" + INSERT_ONLY);
        run("load data local inpath '" + folder("in", "data.orc") + "' into table named");
        assertThatThrownBy(() -> run("alter table named set tblproperties ('transactional_properties'='default')"))
                .isInstanceOf(SkepException.class);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void changesThatHiveRefuses(String table, String change, String words) throws IOException {
        run("create table texts (a int) stored as textfile");
        run("create external table outside (a int) stored as orc");
        run("create table sorted (a int) clustered by (a) sorted by (a) into 2 buckets stored as orc");
        run("create table mm (a int) stored as orc" + INSERT_ONLY);
        run("create table named (a int, b string) stored as orc");
        run("load data local inpath '" + folder("in", "data.orc") + "' into table named");
        assertThatThrownBy(() -> run("alter table " + table + " " + change))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(words);
        assertThat(rows("select count(*) from named")).containsExactly("2");
    }

    private static Stream<Arguments> refused() {
        String make = "set tblproperties ('transactional'='true')";
        return Stream.of(
                Arguments.of(
                        "texts",
                        make,
                        "The table must be stored using an ACID compliant format (such as ORC): default.texts"),
                Arguments.of(
                        "outside",
                        make,
                        "default.outside cannot be declared transactional because it's an external table"),
                Arguments.of(
                        "sorted",
                        make,
                        "Table default.sorted cannot support full ACID functionality since it is sorted."),
                Arguments.of(
                        "named",
                        make,
                        "Unexpected data file name format.  Cannot convert default.named to transactional table."),
                Arguments.of(
                        "plain",
                        "set tblproperties ('transactional'='true', 'transactional_properties'='foo')",
                        "Invalid transactional properties specified for default.plain"
                                + " with the error unknown value foo"),
                Arguments.of(
                        "t",
                        "set tblproperties ('transactional'='false')",
                        "Cannot change 'transactional' without 'transactional_properties'"),
                Arguments.of(
                        "t",
                        "set tblproperties ('TRANSACTIONAL'='false')",
                        "Cannot change 'transactional' without 'transactional_properties'"),
                Arguments.of(
                        "t",
                        "set tblproperties ('transactional'='false', 'transactional_properties'='default')",
                        "TBLPROPERTIES with 'transactional'='true' cannot be unset: default.t"),
                Arguments.of(
                        "plain",
                        "set tblproperties ('transactional'='yes')",
                        "Cannot change 'transactional' without 'transactional_properties'"),
                Arguments.of(
                        "t",
                        "unset tblproperties ('transactional')",
                        "TBLPROPERTIES with 'transactional'='true' cannot be unset: default.t"),
                Arguments.of("mm", "unset tblproperties ('transactional')", "Cannot convert an ACID table to non-ACID"),
                Arguments.of(
                        "t",
                        "set tblproperties ('transactional_properties'='insert_only')",
                        "TBLPROPERTIES with 'transactional_properties' cannot be altered after the table is created"),
                Arguments.of(
                        "t",
                        "set tblproperties ('EXTERNAL'='TRUE')",
                        "default.t cannot be converted to external table as it is transactional table."));
    }

    /** A statement that was compiled for a plain table does not read or write it as one when it is transactional. */
    @ParameterizedTest
    @CsvSource({"default", "insert_only"})
    void statementsOfBeforeAreCompiledAgain(String kind) {
        run("select count(*), max(a) from plain");
        run("alter table plain set tblproperties ('transactional'='true', 'transactional_properties'='" + kind + "')");
        assertThat(rows("select count(*), max(a) from plain")).containsExactly("2|2");
        run("insert into plain values (3,'z')");
        assertThat(rows("select count(*), max(a) from plain")).containsExactly("3|3");
    }
}
