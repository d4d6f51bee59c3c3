package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** UPDATE, DELETE and MERGE. Answers are those of Hive 4.0.1 to the same statements. */
final class TestRowChanges extends TransactionalStatements {
    @BeforeEach
    void makeTables() {
        run("create table t (a int, b string)" + FULL);
        run("insert into t values (1,'x'),(2,'y'),(3,'z')");
        run("insert into t values (4,'u')");
        run("create table p (a int, c string) partitioned by (d string)" + FULL);
        run("insert into p partition (d) values (1,'k','x'),(2,'l','y'),(3,'m','x')");
        run("create table s (a int, b string) stored as orc");
        run("insert into s values (1,'one'),(3,'three'),(9,'nine')");
    }

    @Test
    void rowsAreUpdated() throws IOException {
        run("update t set b = 'q' where a = 2");
        assertThat(rows("select row__id.writeid, row__id.bucketid, row__id.rowid, a, b from t order by a"))
                .containsExactly("1|536870912|0|1|x", "3|536870913|0|2|q", "1|536870912|2|3|z", "2|536870912|0|4|u");
        Path folder = engine.folder("t");
        assertThat(folder.resolve("delete_delta_0000003_0000003_0000/bucket_00000_0"))
                .exists();
        assertThat(folder.resolve("delete_delta_0000003_0000003_0000/_orc_acid_version"))
                .exists();
        assertThat(folder.resolve("delta_0000003_0000003_0001/bucket_00000_0")).exists();
        run("update t set a = a + 10, b = concat(b, a)");
        assertThat(rows("select a, b from t order by a")).containsExactly("11|x1", "12|q2", "13|z3", "14|u4");
        run("update t set b = null where t.a in (select a + 10 from s)");
        assertThat(rows("select a, b from t order by a")).containsExactly("11|NULL", "12|q2", "13|NULL", "14|u4");
    }

    @Test
    void rowsAreDeleted() throws IOException {
        run("delete from t where a >= 3");
        assertThat(rows("select a, b from t order by a")).containsExactly("1|x", "2|y");
        run("delete from t where a > 100");
        assertThat(rows("select count(*) from t")).containsExactly("2");
        assertThat(rows("select a, if(row__is__deleted, 1, 0) from t order by a"))
                .containsExactly("1|0", "2|0");
        run("insert into t values (5,'e')");
        assertThat(rows("select a from t order by a")).containsExactly("1", "2", "5");
        run("delete from t");
        assertThat(rows("select * from t")).isEmpty();
        try (Stream<Path> folders = Files.list(engine.folder("t"))) {
            assertThat(folders.filter(folder -> folder.getFileName().toString().startsWith("delete_delta_")))
                    .hasSize(2);
        }
    }

    @Test
    void partitionsAreChanged() {
        run("update p set a = 5 where d = 'x' and a = 1");
        assertThat(rows("select a, c, d, row__id.writeid from p order by a"))
                .containsExactly("2|l|y|1", "3|m|x|1", "5|k|x|2");
        run("delete from p where a = 2");
        assertThat(rows("select a, d from p order by a")).containsExactly("3|x", "5|x");
        run("update p set c = d");
        assertThat(rows("select a, c, d from p order by a")).containsExactly("3|x|x", "5|x|x");
    }

    @Test
    void bucketsAreKept() {
        run("create table bb (a int, b string) clustered by (a) into 2 buckets" + FULL);
        run("insert into bb values (1,'x'),(2,'y'),(3,'z')");
        run("update bb set b = 'new' where a in (1, 2)");
        assertThat(rows("select a, b, row__id.bucketid from bb order by a"))
                .containsExactly("1|new|536936449", "2|new|536870913", "3|z|536870912");
        run("merge into bb using s on bb.a = s.a when matched then update set b = s.b"
                + " when not matched then insert values (s.a, s.b)");
        assertThat(rows("select a, b, shiftright(row__id.bucketid, 16) & 1 from bb order by a"))
                .isEqualTo(rows("select a, b, (murmur_hash(a) & 2147483647) % 2 from bb order by a"))
                .hasSize(4);
        run("delete from bb where a = 9");
        assertThat(rows("select a, b from bb order by a")).containsExactly("1|one", "2|new", "3|three");
    }

    @Test
    void mergesDoAllThree() {
        run("merge into t as target using s as source on target.a = source.a"
                + " when matched and source.b = 'one' then update set b = source.b"
                + " when matched then delete"
                + " when not matched then insert values (source.a, source.b)");
        assertThat(rows("select a, b from t order by a")).containsExactly("1|one", "2|y", "4|u", "9|nine");
        run("merge into t using (select 2 a, 'two' b union all select 10, 'ten') s on t.a = s.a"
                + " when matched then update set b = concat(t.b, s.b)"
                + " when not matched and s.a > 100 then insert (b, a) values ('never', s.a)");
        assertThat(rows("select a, b from t order by a")).containsExactly("1|one", "2|ytwo", "4|u", "9|nine");
        run("merge into t using s on t.a = s.a when not matched then insert (a) values (s.a + 100)");
        assertThat(rows("select a, b from t where a > 100")).containsExactly("103|NULL");
        run("merge into t using s on t.a = s.a when matched then delete");
        assertThat(rows("select a from t order by a")).containsExactly("2", "4", "103");
    }

    @Test
    void mergesFillPartitions() {
        run("merge into p using s on p.a = s.a when matched then update set c = s.b"
                + " when not matched then insert values (s.a, s.b, 'fresh')");
        assertThat(rows("select a, c, d from p order by a"))
                .containsExactly("1|one|x", "2|l|y", "3|three|x", "9|nine|fresh");
        assertThat(rows("show partitions p")).containsExactly("d=fresh", "d=x", "d=y");
    }

    @Test
    void namesOfColumnsAreQuoted() {
        run("create table named (`a``), ``b` int, `row` string)" + FULL);
        run("merge into named using s on named.`row` = s.b when not matched then insert values (s.a, s.b)");
        run("update named set `row` = upper(`row`) where `a``), ``b` = 3");
        assertThat(rows("select * from named order by 1")).containsExactly("1|one", "3|THREE", "9|nine");
        run("delete from named where `a``), ``b` > 1");
        assertThat(rows("select `row` from named")).containsExactly("one");
    }

    @Test
    void aRowIsChangedOnce() {
        run("insert into s values (1,'uno')");
        assertThatThrownBy(() -> run("merge into t using s on t.a = s.a when matched then update set b = s.b"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MERGE_CARDINALITY_VIOLATION));
        assertThat(rows("select a, b from t order by a")).containsExactly("1|x", "2|y", "3|z", "4|u");
        run("merge into t using s on t.a = s.a + 100 when not matched then insert values (s.a, s.b)");
        assertThat(rows("select count(*) from t")).containsExactly("8");
    }

    @Test
    void defaultsAndConstraintsHold() {
        run("create table c (a int not null enforced, b string default 'dflt', check (a < 100) enforced)" + FULL);
        run("insert into c values (1, 'x'), (2, 'y')");
        run("update c set b = default where a = 1");
        assertThat(rows("select a, b from c order by a")).containsExactly("1|dflt", "2|y");
        assertThatThrownBy(() -> run("update c set a = a + 99"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CONSTRAINT_VIOLATED));
        assertThatThrownBy(() -> run("update c set a = null where a = 1"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CONSTRAINT_VIOLATED));
        run("merge into c using s on c.a = s.a when matched then delete"
                + " when not matched then insert values (s.a, default)");
        assertThat(rows("select a, b from c order by a")).containsExactly("2|y", "3|dflt", "9|dflt");
        run("delete from c where a = 2");
        assertThat(rows("select a from c order by a")).containsExactly("3", "9");
    }

    @Test
    void changesOfManyRowsMeetTheirRows() {
        run("create table big (k bigint, v string)" + FULL);
        run("insert into big select a.a * 1000 + b.pos, 'v' from t a lateral view"
                + " posexplode(split(space(999), ' ')) b as pos, val");
        run("update big set v = 'w' where k % 3 = 0");
        run("delete from big where k % 5 = 0");
        assertThat(rows("select count(*), sum(k), count(if(v = 'w', 1, null)), min(k % 5) from big"))
                .isEqualTo(rows("select count(*), sum(k), count(if(k % 3 = 0, 1, null)), min(k % 5) from"
                        + " (select a.a * 1000 + b.pos k from t a lateral view"
                        + " posexplode(split(space(999), ' ')) b as pos, val) x where k % 5 <> 0"));
    }

    @Test
    void theNumberOfChangedRowsIsTold() {
        assertThat(modified("update t set b = 'n' where a < 3")).isEqualTo(2);
        assertThat(modified("delete from t where a = 1")).isEqualTo(1);
        assertThat(modified("merge into t using s on t.a = s.a when matched then update set b = s.b"
                        + " when not matched then insert values (s.a, s.b)"))
                .isEqualTo(3);
    }

    private long modified(String statement) {
        return engine.modifiedRows(session, statement);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatHiveRefuses(String statement, String words) {
        run("create view v as select * from t");
        run("create table mm (a int) stored as orc"
                + " tblproperties ('transactional'='true', 'transactional_properties'='insert_only')");
        run("create table bb (a int, b string) clustered by (a) into 2 buckets" + FULL);
        assertThatThrownBy(() -> run(statement))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(words);
        assertThat(rows("select count(*) from t")).containsExactly("4");
    }

    private static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        "update s set a = 1", "Attempt to do update or delete on table s that is not transactional"),
                Arguments.of(
                        "delete from mm where a = 1", "Attempt to do update or delete on table mm that is insert-only"),
                Arguments.of("update v set a = 1", "view"),
                Arguments.of("update p set d = 'z'", "Updating values of partition columns is not supported"),
                Arguments.of("update bb set a = 2", "Updating values of bucketing columns is not supported"),
                Arguments.of("update t set nothing = 1", "nothing"),
                Arguments.of(
                        "merge into t using s on t.a = s.a when not matched then insert (a, a) values (s.a, 2)",
                        "Duplicate column name detected in default.t table schema specification"),
                Arguments.of("update t set b = 'x' where nothing = 1", "nothing"),
                Arguments.of(
                        "merge into t using s on t.a = s.a when not matched then insert values (s.a)", "1 columns"),
                Arguments.of("merge into t using s on t.a = s.a when matched and rand() > 2 then delete", "rand()"));
    }
}
