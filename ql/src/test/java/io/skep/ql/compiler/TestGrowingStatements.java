package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Bystander;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests short statements that expand to enormous ones. Each is rejected, or returns its rows, in bounded memory. The
 * session continues.
 */
@Timeout(300)
final class TestGrowingStatements {
    private static final int LEVELS = 40;

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession other = engine.session();
    private final Bystander bystander = new Bystander(() -> engine.rows(other, "select 1"));
    private SqlSession session;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() {
        session = engine.session();
        engine.run(session, "create table one (a int, s string) stored as textfile");
        engine.run(session, "insert into one values (1, 'x')");
    }

    @AfterEach
    void close() {
        assertThat(engine.rows(session, "select a from one")).containsExactly("1");
        bystander.close();
        other.close();
        session.close();
        engine.close();
    }

    private void refused(StandardErrorCode code, String statement) {
        assertThatThrownBy(() -> engine.rows(session, statement))
                .as(statement)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).as(e.fullMessage()).isEqualTo(code));
    }

    @Test
    void commonTablesThatNameEachOtherTwice() {
        StringBuilder with = new StringBuilder("with c0 as (select 1 as x)");
        for (int i = 1; i < LEVELS; i++) {
            with.append(", c%d as (select * from c%d union all select * from c%d)".formatted(i, i - 1, i - 1));
        }
        refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, with + " select count(*) from c" + (LEVELS - 1));
        assertThat(engine.rows(session, with + " select count(*) from c3")).containsExactly("8");
    }

    @Test
    void viewsThatNameEachOtherTwice() {
        engine.run(session, "create view v0 as select a from one");
        StandardErrorCode[] failure = new StandardErrorCode[1];
        try {
            for (int i = 1; i < LEVELS; i++) {
                engine.run(
                        session,
                        "create view v%d as select a from v%d union all select a from v%d".formatted(i, i - 1, i - 1));
            }
        } catch (SkepException e) {
            failure[0] = e.code();
        }
        assertThat(failure[0]).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED);
    }

    @Test
    void macrosThatCallEachOtherTwice() {
        engine.run(session, "create temporary macro m0(x bigint) x + x");
        int last = 0;
        SkepException tooLarge = null;
        while (tooLarge == null) {
            String macro = "create temporary macro m%d(x bigint) m%d(x) + m%d(x)".formatted(last + 1, last, last);
            tooLarge = catchThrowableOfType(SkepException.class, () -> engine.run(session, macro));
            last++;
        }
        assertThat(tooLarge.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED);
        assertThat(last).isBetween(5, LEVELS);
        assertThat(engine.rows(session, "select m2(a) from one")).containsExactly("8");
        String nested = "m0(".repeat(LEVELS) + "a" + ")".repeat(LEVELS);
        refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "select " + nested + " from one");
    }

    @Test
    void aMacroThatCallsItself() {
        engine.run(session, "create temporary macro r(x bigint) x");
        engine.run(session, "create temporary macro r(x bigint) r(x) + 1");
        refused(StandardErrorCode.SEMANTIC_ERROR, "select r(a) from one");
        engine.run(session, "create temporary macro p(x bigint) x");
        engine.run(session, "create temporary macro q(x bigint) p(x) + 1");
        engine.run(session, "create temporary macro p(x bigint) q(x) + 1");
        refused(StandardErrorCode.SEMANTIC_ERROR, "select p(a) from one");
    }

    /** A pattern of a million characters is answered, a longer one is rejected. */
    @Test
    void patternsOfNames() {
        refused(StandardErrorCode.INVALID_ARGUMENT, "show tables like '" + "x|".repeat(1 << 20) + "one'");
        refused(StandardErrorCode.INVALID_ARGUMENT, "show functions like '" + "|".repeat((1 << 20) + 1) + "'");
        String most = "x|".repeat(500_000) + "CONC%T";
        assertThat(engine.rows(session, "show functions like '" + most + "'")).containsExactly("concat");
        assertThat(engine.rows(session, "show columns in one like '" + "*a".repeat(10_000) + "*b'"))
                .isEmpty();
    }

    @Test
    void variablesThatDouble() {
        engine.run(session, "set hivevar:x=${hivevar:x}${hivevar:x}");
        refused(StandardErrorCode.INVALID_CONFIGURATION, "select '${hivevar:x}'");
    }

    /** Constants are folded only up to a bound. Those that are not folded exceed the maximum length at run time. */
    @Test
    void constantsThatDouble() {
        for (String doubled : new String[] {"concat(x, x)", "array(x, x)"}) {
            int levels = doubled.startsWith("array") ? 20 : LEVELS;
            String text = "(select " + doubled + " as x from ";
            StringBuilder statement = new StringBuilder("select x from ");
            statement.repeat(text, levels).append("(select 'ab' as x) t");
            for (int i = 0; i < levels; i++) {
                statement.append(") t").append(i);
            }
            try (var compiled = session.compile(new QueryId("growing_" + levels), statement.toString())) {
                assertThat(compiled.schema()).isPresent();
            }
        }
    }

    @Test
    void functionsWhoseResultsAreManyTimesTheirArguments() {
        for (String call : new String[] {
            "printf('%2000000000d', a)",
            "printf(repeat('%1$s', 1000000), repeat('x', 1000000))",
            "format_number(a, 2000000000)",
            "format_number(1.5, 2000000000)",
            "replace(repeat('a', 1000000), 'a', repeat('b', 1000000))",
            "regexp_replace(repeat('a', 1000000), 'a', repeat('b', 1000000))",
            "concat_ws(repeat('x', 1000000), split(space(10000), ' '))",
            "array_join(split(space(10000), ' '), repeat('x', 1000000))",
            "xpath_string(concat('<a>', repeat('x', 1000000), '</a>'), concat('concat(/a', repeat(',/a', 10000), ')'))"
        }) {
            refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "select length(" + call + ") from one");
        }
        assertThat(engine.rows(session, "select replace('abc', 'b', repeat('x', 3)), printf('%5d%%', a) from one"))
                .containsExactly("axxxc |     1%");
    }

    /** Each value claims a greater length than it has, in constants as well as in expressions over columns. */
    @Test
    void binariesThatClaimToBeLong() {
        for (String call : new String[] {
            "in_bloom_filter(1, unhex('0120000000'))",
            "in_bloom_filter(a, unhex('01FFFFFFFF'))",
            "ndv_compute_bit_vector(unhex('484C4C400180808080080101'))",
            "ds_theta_estimate(unhex('0203030000000000FFFFFF7F00000000'))",
            "ds_cpc_estimate(unhex('040110050008000100000000FFFFFF3F'))"
        }) {
            refused(StandardErrorCode.INVALID_ARGUMENT, "select " + call + " from one");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void pipesAndDevicesAreNotOpened() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        refused(StandardErrorCode.INVALID_PATH, "load data local inpath '" + pipe + "' into table one");
        refused(StandardErrorCode.INVALID_PATH, "load data local inpath '" + folder + "' into table one");
        refused(StandardErrorCode.INVALID_PATH, "add jar " + pipe);
        refused(StandardErrorCode.INVALID_PATH, "create temporary function f as 'x.Y' using jar '" + pipe + "'");
        refused(StandardErrorCode.INVALID_PATH, "create function f as 'x.Y' using jar '" + pipe + "'");
        refused(StandardErrorCode.INVALID_PATH, "delete jar file:%zz");
        refused(StandardErrorCode.INVALID_PATH, "load data local inpath '" + folder + "/[z-a]' into table one");
        for (String shown :
                new String[] {"/proc/self/environ", "/dev/zero", "/sys/kernel/notes", "/proc/self/../version"}) {
            refused(StandardErrorCode.ACCESS_DENIED, "load data local inpath '" + shown + "' into table one");
            refused(StandardErrorCode.ACCESS_DENIED, "add jar " + shown);
        }
        refused(StandardErrorCode.ACCESS_DENIED, "create external table p (l string) location 'file:/proc/self'");
        refused(StandardErrorCode.ACCESS_DENIED, "insert overwrite local directory '/dev/x' select 1");
    }

    @Test
    void aSessionKeepsOnlySoMuch() {
        String large = "x".repeat(5 << 20);
        engine.run(session, "set hivevar:a=" + large);
        refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "set hivevar:b=" + large);
        refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "set my.setting=" + large);
        refused(
                StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                "create temporary macro m(x string) concat(x, '" + "y".repeat(1 << 20) + "')");
        engine.run(session, "set hivevar:a=");
        engine.run(session, "set hivevar:b=" + large);
    }
}
