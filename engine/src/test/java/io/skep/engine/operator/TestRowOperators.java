package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.task.PlanRunner;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.BucketFileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests scans, filters, projections, limits, unions, expansions, table functions and writes, and the end of a query
 * during its run.
 */
class TestRowOperators {
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final SqlType STRING = PrimitiveType.STRING;
    private static final Expression FIRST = new Expression.InputColumn(0, BIGINT);

    @TempDir
    private Path folder;

    private PlanRunner runner = new PlanRunner(Path.of("unused"), 0);

    @BeforeEach
    void open() {
        runner = new PlanRunner(folder, 1 << 28);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private PlanNode.Scan numbers(int count, Optional<Expression> filter) {
        List<Batch> batches = new ArrayList<>();
        for (int from = 0; from < count; from += 1000) {
            int rows = Math.min(1000, count - from);
            long[] values = new long[rows];
            String[] texts = new String[rows];
            for (int i = 0; i < rows; i++) {
                values[i] = (long) from + i;
                texts[i] = "t" + values[i] % 3;
            }
            batches.add(Batch.of(rows, TestBatches.longs(values), TestBatches.texts(texts)));
        }
        return runner.table(List.of(BIGINT, STRING), batches, filter);
    }

    private static Expression below(long bound) {
        Expression constant = new Expression.Constant(new Datum.OfLong(bound), BIGINT);
        return new Expression.Call("<", List.of(FIRST, constant), PrimitiveType.BOOLEAN);
    }

    @Test
    void scansFilterBeforeTheyLoad() {
        assertThat(runner.run(numbers(5000, Optional.of(below(1234))))).hasSize(1234);
        assertThat(runner.run(numbers(5000, Optional.of(below(-1))))).isEmpty();
        assertThat(runner.run(numbers(5000, Optional.empty()))).hasSize(5000);
    }

    @Test
    void filtersAndProjectionsOverAnyInput() {
        PlanNode scan = numbers(5000, Optional.empty());
        assertThat(runner.run(new PlanNode.Filter(scan, below(10)))).hasSize(10).allMatch(row -> row.size() == 2);
        Expression text = new Expression.InputColumn(1, STRING);
        PlanNode project = new PlanNode.Project(new PlanNode.Filter(scan, below(7)), List.of(text, FIRST));
        assertThat(runner.run(project)).contains(Arrays.asList("t0", 3L)).hasSize(7);
    }

    @Test
    void limitsAreSharedByDrivers() {
        PlanNode scan = numbers(50_000, Optional.empty());
        assertThat(runner.run(new PlanNode.Limit(scan, 0, 1234))).hasSize(1234);
        assertThat(runner.run(new PlanNode.Limit(scan, 49_990, 100))).hasSize(10);
        assertThat(runner.run(new PlanNode.Limit(scan, 0, 0))).isEmpty();
    }

    @Test
    void aLimitEndsTheProducersToo() {
        PlanNode scan = numbers(500_000, Optional.empty());
        List<Fragment> fragments = List.of(
                new Fragment(0, scan, Fragment.Distribution.SOURCE, new Fragment.Output.Gather()),
                new Fragment(
                        1,
                        new PlanNode.Limit(new PlanNode.RemoteSource(List.of(0), scan.outputTypes(), List.of()), 0, 5),
                        Fragment.Distribution.SINGLE,
                        new Fragment.Output.Gather()));
        assertThat(runner.run(fragments)).hasSize(5);
    }

    @Test
    void unionsGiveAllRows() {
        PlanNode union = new PlanNode.UnionAll(List.of(
                numbers(3000, Optional.empty()),
                numbers(10, Optional.empty()),
                new PlanNode.Values(List.of(BIGINT, STRING), List.of(List.of(new Datum.OfLong(-1), Datum.NULL)))));
        assertThat(runner.run(union)).hasSize(3011).contains(Arrays.asList(-1L, null));
    }

    @Test
    void aLimitOverAUnionTakesTheFirstInputsRowsFirst() {
        PlanNode single =
                new PlanNode.Values(List.of(BIGINT, STRING), List.of(List.of(new Datum.OfLong(-1), Datum.NULL)));
        PlanNode union = new PlanNode.UnionAll(List.of(numbers(30_000, Optional.empty()), single));
        assertThat(runner.run(new PlanNode.Limit(union, 0, 30_000)))
                .hasSize(30_000)
                .doesNotContain(Arrays.asList(-1L, null));
        assertThat(runner.run(new PlanNode.Limit(union, 29_999, 10))).hasSize(2).contains(Arrays.asList(-1L, null));
    }

    @Test
    void expansionsGiveEachRowOnceAProjection() {
        Expression none = Expression.Constant.ofNull(STRING);
        Expression text = new Expression.InputColumn(1, STRING);
        PlanNode expand =
                new PlanNode.Expand(numbers(2, Optional.empty()), List.of(List.of(FIRST, text), List.of(FIRST, none)));
        assertThat(runner.run(expand))
                .containsExactlyInAnyOrder(
                        Arrays.asList(0L, "t0"),
                        Arrays.asList(1L, "t1"),
                        Arrays.asList(0L, null),
                        Arrays.asList(1L, null));
    }

    @Test
    void explodeAndPosexplodeTakeArraysApart() {
        SqlType array = new ArrayType(STRING);
        PlanNode values = new PlanNode.Values(
                List.of(BIGINT, array),
                List.of(
                        List.of(new Datum.OfLong(1), new Datum.OfList(List.of(Datum.ofText("a"), Datum.NULL))),
                        List.of(new Datum.OfLong(2), Datum.NULL),
                        List.of(new Datum.OfLong(3), new Datum.OfList(List.of()))));
        List<Expression> argument = List.of(new Expression.InputColumn(1, array));
        PlanNode inner = new PlanNode.TableFunction(values, "explode", argument, List.of(STRING), false);
        assertThat(lastColumns(runner.run(inner), 1)).containsExactly(Arrays.asList("a"), Arrays.asList((Object) null));
        PlanNode outer =
                new PlanNode.TableFunction(values, "posexplode", argument, List.of(PrimitiveType.INT, STRING), true);
        assertThat(lastColumns(runner.run(outer), 2))
                .containsExactly(
                        Arrays.asList(0L, "a"),
                        Arrays.asList(1L, null),
                        Arrays.asList(null, null),
                        Arrays.asList(null, null));
    }

    @Test
    void explodeOfMapsAndInlineOfStructs() {
        SqlType map = new MapType(STRING, BIGINT);
        Datum entries = new Datum.OfMap(List.of(Datum.ofText("k")), List.of(new Datum.OfLong(7)));
        PlanNode maps = new PlanNode.Values(List.of(map), List.of(List.of(entries)));
        List<Expression> ofMap = List.of(new Expression.InputColumn(0, map));
        assertThat(lastColumns(
                        runner.run(new PlanNode.TableFunction(maps, "explode", ofMap, List.of(STRING, BIGINT), false)),
                        2))
                .containsExactly(Arrays.asList("k", 7L));
        SqlType structs = new ArrayType(
                new StructType(List.of(new StructType.Field("a", BIGINT), new StructType.Field("b", STRING))));
        Datum struct = new Datum.OfList(List.of(new Datum.OfLong(5), Datum.ofText("x")));
        PlanNode arrays =
                new PlanNode.Values(List.of(structs), List.of(List.of(new Datum.OfList(List.of(struct, Datum.NULL)))));
        List<Expression> ofArray = List.of(new Expression.InputColumn(0, structs));
        assertThat(lastColumns(
                        runner.run(
                                new PlanNode.TableFunction(arrays, "inline", ofArray, List.of(BIGINT, STRING), false)),
                        2))
                .containsExactly(Arrays.asList(5L, "x"), Arrays.asList(null, null));
    }

    @Test
    void tableFunctionsOfHiveRun() {
        PlanNode values = new PlanNode.Values(List.of(STRING), List.of(List.of(Datum.ofText("{\"a\":1,\"b\":\"x\"}"))));
        List<Expression> arguments = List.of(
                new Expression.InputColumn(0, STRING),
                new Expression.Constant(Datum.ofText("a"), STRING),
                new Expression.Constant(Datum.ofText("b"), STRING));
        PlanNode node = new PlanNode.TableFunction(values, "json_tuple", arguments, List.of(STRING, STRING), false);
        assertThat(lastColumns(runner.run(node), 2)).containsExactly(Arrays.asList("1", "x"));
    }

    private static List<List<@Nullable Object>> lastColumns(List<List<@Nullable Object>> rows, int count) {
        List<List<@Nullable Object>> last = new ArrayList<>();
        rows.forEach(row -> last.add(row.subList(row.size() - count, row.size())));
        return last;
    }

    private static TableLayout target(List<Column> partitions) {
        return new TableLayout(
                "d.t", new TableFormat("", "", "", Map.of()), List.of(new Column("a", BIGINT)), partitions, Map.of());
    }

    @Test
    void writesGiveTheirFiles() {
        runner.layout(1, 1, 1);
        PlanNode project = new PlanNode.Project(numbers(2500, Optional.empty()), List.of(FIRST));
        PlanNode write = new PlanNode.TableWrite(project, target(List.of()), "mem:/stage", "", List.of(), false, false);
        assertThat(runner.run(write))
                .containsExactly(Arrays.asList("mem:/stage/000000_0-q0", "", 2500L, 10L, null, 0L));
        assertThat(runner.files().get("mem:/stage/000000_0-q0")).hasSize(2500).contains(List.of(2499L));
    }

    @Test
    void dynamicPartitionsHaveTheirFolders() {
        PlanNode values = new PlanNode.Values(
                List.of(BIGINT, STRING, PrimitiveType.DATE),
                List.of(
                        List.of(new Datum.OfLong(1), Datum.ofText("a/b"), new Datum.OfLong(0)),
                        List.of(new Datum.OfLong(2), Datum.NULL, new Datum.OfLong(1)),
                        List.of(new Datum.OfLong(3), Datum.ofText(""), new Datum.OfLong(1)),
                        List.of(new Datum.OfLong(4), Datum.ofText("a/b"), new Datum.OfLong(0))));
        PlanNode write = new PlanNode.TableWrite(
                values, target(List.of()), "mem:/stage", "s=1/", List.of("p", "d"), false, false);
        assertThat(runner.run(write))
                .extracting(row -> row.get(1))
                .containsExactlyInAnyOrder("s=1/p=a%2Fb/d=1970-01-01", "s=1/p=__HIVE_DEFAULT_PARTITION__/d=1970-01-02");
        assertThat(runner.files().get("mem:/stage/s=1/p=a%2Fb/d=1970-01-01/000000_0-q0"))
                .containsExactly(List.of(1L), List.of(4L));
    }

    @Test
    void listBucketsHaveTheirFolders() {
        PlanNode values = new PlanNode.Values(
                List.of(BIGINT, STRING, PrimitiveType.INT, PrimitiveType.INT),
                List.of(
                        List.of(new Datum.OfLong(1), Datum.ofText("x"), new Datum.OfLong(0), new Datum.OfLong(3)),
                        List.of(new Datum.OfLong(2), Datum.ofText("x"), new Datum.OfLong(1), new Datum.OfLong(3)),
                        List.of(new Datum.OfLong(3), Datum.ofText("x"), new Datum.OfLong(0), new Datum.OfLong(3)),
                        List.of(new Datum.OfLong(4), Datum.ofText("x"), new Datum.OfLong(0), new Datum.OfLong(4)),
                        List.of(new Datum.OfLong(5), Datum.ofText("y"), new Datum.OfLong(0), new Datum.OfLong(3))));
        PlanNode write = new PlanNode.TableWrite(
                values,
                target(List.of()),
                "mem:/stage",
                "",
                List.of("p"),
                true,
                false,
                Map.of(),
                false,
                Optional.empty(),
                List.of("a=1/b=2", "other/other"));
        assertThat(runner.run(write))
                .extracting(row -> row.get(1))
                .containsExactlyInAnyOrder("p=x", "p=x", "p=x", "p=y");
        assertThat(runner.files().keySet())
                .containsExactlyInAnyOrder(
                        "mem:/stage/p=x/a=1/b=2/" + BucketFileName.of(3, "000000_0-q0"),
                        "mem:/stage/p=x/other/other/" + BucketFileName.of(3, "000000_0-q0"),
                        "mem:/stage/p=x/a=1/b=2/" + BucketFileName.of(4, "000000_0-q0"),
                        "mem:/stage/p=y/a=1/b=2/" + BucketFileName.of(3, "000000_0-q0"));
        assertThat(runner.files().get("mem:/stage/p=x/a=1/b=2/" + BucketFileName.of(3, "000000_0-q0")))
                .containsExactly(List.of(1L), List.of(3L));
    }

    @Test
    void tooManyDynamicPartitionsAreAnError() {
        PlanNode write = new PlanNode.TableWrite(
                new PlanNode.Project(numbers(500, Optional.empty()), List.of(FIRST, FIRST)),
                target(List.of()),
                "mem:/stage",
                "",
                List.of("p"),
                false,
                true);
        assertThatThrownBy(() -> runner.run(write)).rootCause().isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_PARTITION);
            assertThat(e.hint().orElse("")).contains("hive.exec.max.dynamic.partitions.pernode");
        });
        assertThat(runner.files()).isEmpty();
    }

    @Test
    void aCancelledQueryEnds() {
        PlanNode many = numbers(3000, Optional.empty());
        PlanNode join = new PlanNode.Join(
                PlanNode.JoinKind.INNER,
                new PlanNode.Join(
                        PlanNode.JoinKind.INNER, many, many, List.of(), List.of(), List.of(), Optional.empty()),
                many,
                List.of(),
                List.of(),
                List.of(),
                Optional.empty());
        PlanNode count = new PlanNode.Limit(new PlanNode.Filter(join, below(-1)), 0, 1);
        Fragment fragment = new Fragment(0, count, Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        try (StageGraphExecution execution = runner.start(List.of(fragment))) {
            var next = execution.next();
            execution.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "enough"));
            assertThatThrownBy(next::join).rootCause().hasMessage("enough");
        }
    }
}
