package io.skep.ql.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LOAD: copies and moves, files of one name, partitions, and what is refused. */
final class TestLoad {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        engine.close();
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static Datum number(long value) {
        return new Datum.OfLong(value);
    }

    private static StandardErrorCode code(Throwable failure) {
        return ((SkepException) failure).code();
    }

    @Test
    void copiesLocalFilesAndMovesOthers() throws IOException {
        Path local = file("a.txt", "1\n2\n");
        Path moved = file("b.txt", "3\n");
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int) stored as textfile");
            engine.run(session, "load data local inpath '" + local + "' into table t");
            engine.run(session, "load data local inpath 'file:" + local + "' into table t");
            engine.run(session, "load data inpath '" + moved + "' into table t");
            assertThat(local).exists();
            assertThat(moved).doesNotExist();
            assertThat(engine.run(session, "select count(*), sum(k) from t"))
                    .containsExactly(List.of(number(5), number(9)));
            engine.run(session, "load data local inpath '" + folder + "/*.txt' overwrite into table t");
            assertThat(engine.run(session, "select k from t order by k"))
                    .containsExactly(List.of(number(1)), List.of(number(2)));
        }
    }

    @Test
    void loadsPartitions() throws IOException {
        Path local = file("a.txt", "1\n2\n");
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table p (k int) partitioned by (ds string, hr int) stored as textfile");
            engine.run(session, "load data local inpath '" + local + "' into table p partition (ds='x', hr='01')");
            assertThat(engine.run(session, "select hr, ds, sum(k) from p group by hr, ds"))
                    .containsExactly(List.of(number(1), Datum.ofText("x"), number(3)));
            assertThatThrownBy(() -> engine.run(session, "load data local inpath '" + local + "' into table p"))
                    .extracting(TestLoad::code)
                    .isEqualTo(StandardErrorCode.INVALID_PARTITION);
        }
    }

    @Test
    void refusesWhatIsNotThereOrOfAnotherFormat() throws IOException {
        Path text = file("a.txt", "1\n2\n");
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table o (k int) stored as orc");
            assertThatThrownBy(() -> engine.run(session, "load data local inpath '/no/such' into table o"))
                    .extracting(TestLoad::code)
                    .isEqualTo(StandardErrorCode.MISSING_FILE);
            assertThatThrownBy(() -> engine.run(session, "load data local inpath '" + text + "' into table o"))
                    .extracting(TestLoad::code)
                    .isEqualTo(StandardErrorCode.SEMANTIC_ERROR);
            assertThat(engine.run(session, "select count(*) from o")).containsExactly(List.of(number(0)));
        }
    }
}
