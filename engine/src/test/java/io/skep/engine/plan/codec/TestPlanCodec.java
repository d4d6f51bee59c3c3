package io.skep.engine.plan.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.DynamicPartitionFilter;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.engine.plan.Script;
import io.skep.engine.plan.ScriptFile;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.WindowCall;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

public class TestPlanCodec {
    private static final SqlType INT = PrimitiveType.INT;
    private static final Expression COLUMN = new Expression.InputColumn(0, INT);
    private static final PlanNode VALUES = new PlanNode.Values(
            List.of(INT, PrimitiveType.STRING),
            List.of(List.of(new Datum.OfLong(-1), Datum.ofText("ä")), List.of(Datum.NULL, Datum.ofText(""))));

    @Test
    void everyKindOfNodeComesBackEqual() {
        List<PlanNode> nodes = nodes();
        assertThat(kinds(nodes)).isEqualTo(records(PlanNode.class));
        for (PlanNode node : nodes) {
            assertRoundTrip(graph(node));
        }
    }

    @Test
    void everyKindOfExpressionComesBackEqual() {
        List<Expression> expressions = expressions();
        assertThat(kinds(expressions)).isEqualTo(Set.of(Expression.class.getPermittedSubclasses()));
        for (Expression expression : expressions) {
            assertRoundTrip(graph(new PlanNode.Project(VALUES, List.of(expression))));
        }
    }

    @Test
    void everyTypeComesBackEqual() {
        List<SqlType> types = new ArrayList<>(List.of(PrimitiveType.values()));
        types.add(new DecimalType(38, 0));
        types.add(new CharType(3));
        types.add(new VarcharType(65535));
        types.add(new ArrayType(new MapType(PrimitiveType.STRING, new ArrayType(INT))));
        types.add(new StructType(List.of(new StructType.Field("a:b,c", INT), new StructType.Field("", INT))));
        types.add(new StructType(List.of()));
        types.add(new UnionType(List.of(INT, PrimitiveType.STRING)));
        assertRoundTrip(graph(new PlanNode.Values(types, List.of())));
    }

    @Test
    void everyValueComesBackEqual() {
        List<Datum> values = List.of(
                Datum.NULL,
                new Datum.OfLong(Long.MIN_VALUE),
                new Datum.OfLong(0),
                new Datum.OfDouble(-0.0),
                new Datum.OfDouble(Double.NaN),
                new Datum.OfBytes(new byte[] {0, -1}),
                new Datum.OfBytes(new byte[0]),
                new Datum.OfDecimal(BigInteger.TEN.pow(37).negate()),
                new Datum.OfDecimal(BigInteger.ZERO),
                new Datum.OfTimestamp(-1, 999_999_999),
                new Datum.OfTimestamp(0, 0),
                new Datum.OfList(List.of(Datum.NULL, new Datum.OfLong(0))),
                new Datum.OfList(List.of()),
                new Datum.OfMap(List.of(Datum.ofText("k")), List.of(Datum.NULL)),
                new Datum.OfUnion(0, new Datum.OfLong(1)));
        assertThat(kinds(values)).isEqualTo(Set.of(Datum.class.getPermittedSubclasses()));
        List<SqlType> types = values.stream().map(_ -> INT).toList();
        assertRoundTrip(graph(new PlanNode.Values(types, List.of(values))));
    }

    @Test
    void fragmentsKeepTheirDistributionAndOutput() {
        List<Fragment> fragments = new ArrayList<>();
        for (Fragment.Distribution distribution : Fragment.Distribution.values()) {
            fragments.add(
                    new Fragment(fragments.size(), VALUES, distribution, new Fragment.Output.Hash(List.of(0, 1))));
        }
        fragments.add(new Fragment(7, VALUES, Fragment.Distribution.SOURCE, new Fragment.Output.RoundRobin()));
        fragments.add(new Fragment(8, VALUES, Fragment.Distribution.SOURCE, new Fragment.Output.Broadcast()));
        fragments.add(new Fragment(9, VALUES, Fragment.Distribution.SINGLE, new Fragment.Output.Gather()));
        assertRoundTrip(new StageGraph(fragments, List.of("x"), List.of(INT), List.of("file:/udf.jar"), 1e9));
    }

    @Test
    void everyStepAndKindOfJoinComesBackEqual() {
        for (PlanNode.AggregateStep step : PlanNode.AggregateStep.values()) {
            assertRoundTrip(graph(new PlanNode.Aggregate(VALUES, step, List.of(0), List.of())));
        }
        for (PlanNode.JoinKind kind : PlanNode.JoinKind.values()) {
            assertRoundTrip(graph(
                    new PlanNode.Join(kind, VALUES, VALUES, List.of(0), List.of(0), List.of(false), Optional.empty())));
        }
    }

    /** Statements may nest more deeply than the 100 levels that protobuf allows by default. */
    @Test
    void anExpressionOf500LevelsComesBackEqual() {
        assertRoundTrip(graph(new PlanNode.Project(VALUES, List.of(nested(500)))));
    }

    @Test
    void aPlanThatNestsTooDeeplyForTheStackIsRefused() throws InterruptedException {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        StageGraph graph = graph(new PlanNode.Project(VALUES, List.of(nested(20_000))));
        Thread maker = new Thread(null, () -> failure.complete(decodeOnSmallStack(graph)), "maker", 1L << 30);
        maker.start();
        maker.join();
        assertThat(failure.join())
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }

    @Test
    void splitsComeBackEqual() {
        Split split = new Split(
                new FileVersion("file:/a b/ä.orc", 1L << 40, -5, -(1L << 60)),
                4,
                1 << 20,
                FORMAT,
                List.of(new Column("a", INT)),
                List.of(Optional.of(""), Optional.empty(), Optional.of("x=y")));
        assertThat(PlanCodec.decodeSplit(PlanCodec.encodeSplit(split))).isEqualTo(split);
    }

    @Test
    void splitsOfTransactionalTablesComeBackEqual() {
        FileVersion file = new FileVersion("file:/t/delta_0000001_0000001_0000/bucket_00000", 100, 7, 8);
        FileVersion deletes = new FileVersion("file:/t/delete_delta_0000002_0000002_0000/bucket_00000", 10, 9, -1);
        for (AcidInfo acid : List.of(
                new AcidInfo(Optional.empty(), false, List.of(), false, Optional.empty()),
                new AcidInfo(Optional.empty(), true, List.of(deletes, file), true, Optional.of("default.t:7:5:5:")),
                new AcidInfo(
                        Optional.of(new AcidInfo.DerivedRowIds(3, 1 << 29, OptionalLong.of(1L << 40))),
                        false,
                        List.of(deletes),
                        false,
                        Optional.empty()),
                new AcidInfo(
                        Optional.of(new AcidInfo.DerivedRowIds(0, 0, OptionalLong.empty())),
                        false,
                        List.of(),
                        false,
                        Optional.empty()))) {
            Split split = new Split(file, 0, 100, FORMAT, List.of(), List.of(), Optional.of(acid));
            assertThat(PlanCodec.decodeSplit(PlanCodec.encodeSplit(split))).isEqualTo(split);
        }
    }

    @Test
    void equalPlansHaveEqualHashes() {
        byte[] bytes = PlanCodec.encode(graph(scan()));
        assertThat(PlanCodec.hash(bytes)).hasSize(64).isEqualTo(PlanCodec.hash(PlanCodec.encode(graph(scan()))));
        assertThat(PlanCodec.hash(PlanCodec.encode(graph(VALUES)))).isNotEqualTo(PlanCodec.hash(bytes));
    }

    @Test
    void damagedBytesAreAnError() {
        byte[] bytes = PlanCodec.encode(graph(scan()));
        assertThatThrownBy(() -> PlanCodec.decode(Arrays.copyOf(bytes, bytes.length / 2)))
                .isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> PlanCodec.decode(new byte[0])).isInstanceOf(SkepException.class);
    }

    private static final TableFormat FORMAT = new TableFormat("in", "out", "serde", Map.of("b", "2", "a", "1"));

    private static final TableLayout TABLE = new TableLayout(
            "db.t",
            FORMAT,
            List.of(new Column("a", INT)),
            List.of(new Column("p", PrimitiveType.STRING)),
            Map.of("orc.compress", "ZSTD"));

    private static PlanNode scan() {
        List<ColumnPredicate> predicates = List.of(
                new ColumnPredicate.Range(0, Optional.of(new Datum.OfLong(0)), true, Optional.empty(), false),
                new ColumnPredicate.Range(0, Optional.empty(), false, Optional.of(new Datum.OfLong(9)), true),
                new ColumnPredicate.In(1, List.of(Datum.ofText("x"))),
                new ColumnPredicate.IsNull(0),
                new ColumnPredicate.IsNotNull(1));
        return new PlanNode.Scan(
                3,
                new ScanRequest(TABLE, List.of(1, 0), predicates),
                Optional.of(Expression.Constant.TRUE),
                List.of(new RuntimeFilter(0, 1), new RuntimeFilter(7, 0)),
                List.of(new DynamicPartitionFilter(1, List.of(0, 4), 2), new DynamicPartitionFilter(0, List.of(3), 0)));
    }

    /** Nodes of every kind over equal inputs. */
    public static List<PlanNode> nodes() {
        List<SortKey> keys = List.of(new SortKey(1, true, false), new SortKey(0, false, true));
        AggregateCall call = new AggregateCall(
                "sum", true, List.of(0), OptionalInt.of(0), List.of(INT), new DecimalType(20, 2), PrimitiveType.BIGINT);
        AggregateCall star =
                new AggregateCall("count", false, List.of(), OptionalInt.empty(), List.of(), INT, PrimitiveType.BIGINT);
        return List.of(
                scan(),
                VALUES,
                new PlanNode.RemoteSource(List.of(1, 2), List.of(INT), keys),
                new PlanNode.Filter(VALUES, Expression.Constant.FALSE),
                new PlanNode.Project(VALUES, List.of(COLUMN)),
                new PlanNode.Expand(VALUES, List.of(List.of(COLUMN), List.of(Expression.Constant.ofNull(INT)))),
                new PlanNode.Aggregate(VALUES, PlanNode.AggregateStep.FINAL, List.of(1), List.of(call, star)),
                new PlanNode.Join(
                        PlanNode.JoinKind.ANTI,
                        VALUES,
                        VALUES,
                        List.of(0, 1),
                        List.of(1, 0),
                        List.of(true, false),
                        Optional.of(Expression.Constant.TRUE)),
                new PlanNode.Join(
                        PlanNode.JoinKind.SEMI,
                        VALUES,
                        VALUES,
                        List.of(0, 1),
                        List.of(1, 0),
                        List.of(true, false),
                        Optional.empty(),
                        List.of(new RuntimeFilter(3, 1))),
                new PlanNode.Sort(VALUES, keys),
                new PlanNode.TopN(VALUES, keys, 10),
                new PlanNode.Limit(VALUES, 0, Long.MAX_VALUE),
                new PlanNode.Window(VALUES, List.of(0), keys, windows()),
                new PlanNode.UnionAll(List.of(VALUES, VALUES)),
                new PlanNode.TableFunction(VALUES, "explode", List.of(COLUMN), List.of(INT), true),
                transform(),
                new PlanNode.TableWrite(VALUES, TABLE, "file:/stage", "p=1/", List.of("q"), true, false),
                new PlanNode.TableWrite(
                        VALUES,
                        TABLE,
                        "file:/stage",
                        "",
                        List.of("q"),
                        false,
                        true,
                        Map.of(
                                "q=1",
                                new TableFormat("in", "out", "serde", Map.of("field.delim", "|")),
                                "q=2",
                                new TableFormat("in", "out", "other", Map.of())),
                        true,
                        Optional.of(new AcidWrite(AcidWrite.Kind.OVERWRITE, 1L << 40, 17)),
                        List.of("k=1", "k=a%2Fb", "other")));
    }

    private static PlanNode transform() {
        List<ScriptFile> files = List.of(new ScriptFile("file:/a%20b.py", false), new ScriptFile("file:/x.zip", true));
        return new PlanNode.Transform(
                VALUES, new Script(List.of("python3", "a b.py"), List.of("nice"), TABLE, TABLE, true, files));
    }

    private static List<WindowCall> windows() {
        return List.of(
                window(
                        WindowCall.Unit.ROWS,
                        new WindowCall.Bound.UnboundedPreceding(),
                        new WindowCall.Bound.CurrentRow()),
                window(
                        WindowCall.Unit.RANGE,
                        new WindowCall.Bound.Offset(-3),
                        new WindowCall.Bound.UnboundedFollowing()));
    }

    private static Expression nested(int levels) {
        Expression expression = COLUMN;
        for (int i = 0; i < levels; i++) {
            expression = new Expression.Cast(expression, INT);
        }
        return expression;
    }

    /** Encodes on this thread's stack, decodes on a smaller one and returns what that throws. */
    private static @Nullable Throwable decodeOnSmallStack(StageGraph graph) {
        byte[] bytes = PlanCodec.encode(graph);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread reader = new Thread(
                null, () -> failure.complete(catchThrowable(() -> PlanCodec.decode(bytes))), "reader", 1L << 20);
        reader.start();
        return failure.join();
    }

    private static WindowCall window(WindowCall.Unit unit, WindowCall.Bound start, WindowCall.Bound end) {
        return new WindowCall(
                "lag", false, true, List.of(0, 1), List.of(INT, INT), new WindowCall.Frame(unit, start, end), INT);
    }

    private static List<Expression> expressions() {
        Expression.Constant one = new Expression.Constant(new Datum.OfLong(1), INT);
        return List.of(
                COLUMN,
                one,
                new Expression.Call("+", List.of(COLUMN, one), INT),
                new Expression.Cast(COLUMN, PrimitiveType.STRING),
                new Expression.And(List.of(Expression.Constant.TRUE, Expression.Constant.FALSE)),
                new Expression.Or(List.of(Expression.Constant.TRUE, Expression.Constant.FALSE)),
                new Expression.Case(List.of(new Expression.Case.Branch(Expression.Constant.TRUE, one)), COLUMN),
                new Expression.In(COLUMN, List.of(one, Expression.Constant.ofNull(INT))));
    }

    private static Set<Class<?>> kinds(List<?> values) {
        Set<Class<?>> kinds = new HashSet<>();
        values.forEach(value -> kinds.add(value.getClass()));
        return kinds;
    }

    /** The records that implement a sealed interface, or one that extends it. */
    private static Set<Class<?>> records(Class<?> sealed) {
        Set<Class<?>> records = new HashSet<>();
        for (Class<?> permitted : sealed.getPermittedSubclasses()) {
            records.addAll(permitted.isInterface() ? records(permitted) : Set.of(permitted));
        }
        return records;
    }

    private static StageGraph graph(PlanNode root) {
        Fragment fragment = new Fragment(0, root, Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        return new StageGraph(List.of(fragment), List.of("c"), List.of(INT), List.of(), 12.5);
    }

    private static void assertRoundTrip(StageGraph graph) {
        assertThat(PlanCodec.decode(PlanCodec.encode(graph))).isEqualTo(graph);
    }
}
