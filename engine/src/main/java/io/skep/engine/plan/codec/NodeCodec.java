package io.skep.engine.plan.codec;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.engine.plan.SplitFilter;
import io.skep.storage.scan.ScanRequest;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Encodes and decodes the message Node and the message of each kind of node. The field number in Node identifies the
 * kind.
 */
final class NodeCodec {
    private NodeCodec() {}

    static void write(MessageWriter out, PlanNode node) {
        switch (node) {
            case PlanNode.Scan n -> out.message(1, n, NodeCodec::writeScan);
            case PlanNode.Values n ->
                out.message(
                        2,
                        n,
                        (m, v) -> m.messages(1, v.outputTypes(), TypeCodec::write)
                                .messages(2, v.rows(), DatumCodec::writeAll));
            case PlanNode.RemoteSource n ->
                out.message(
                        3,
                        n,
                        (m, v) -> m.integers(1, v.fragments())
                                .messages(2, v.outputTypes(), TypeCodec::write)
                                .messages(3, v.mergeOrder(), CallCodec::writeSortKey));
            case PlanNode.Filter n ->
                out.message(4, n, (m, v) -> input(m, v.input()).message(2, v.predicate(), ExpressionCodec::write));
            case PlanNode.Project n ->
                out.message(5, n, (m, v) -> input(m, v.input()).messages(2, v.expressions(), ExpressionCodec::write));
            case PlanNode.Expand n ->
                out.message(
                        6, n, (m, v) -> input(m, v.input()).messages(2, v.projections(), ExpressionCodec::writeAll));
            case PlanNode.Aggregate n -> out.message(7, n, NodeCodec::writeAggregate);
            case PlanNode.Join n -> out.message(8, n, NodeCodec::writeJoin);
            case PlanNode.Sort n ->
                out.message(9, n, (m, v) -> input(m, v.input()).messages(2, v.keys(), CallCodec::writeSortKey));
            case PlanNode.TopN n ->
                out.message(
                        10,
                        n,
                        (m, v) -> input(m, v.input())
                                .messages(2, v.keys(), CallCodec::writeSortKey)
                                .integer(3, v.count()));
            case PlanNode.Limit n ->
                out.message(
                        11,
                        n,
                        (m, v) -> input(m, v.input()).integer(2, v.offset()).integer(3, v.count()));
            case PlanNode.Window n ->
                out.message(
                        12,
                        n,
                        (m, v) -> input(m, v.input())
                                .integers(2, v.partitionColumns())
                                .messages(3, v.order(), CallCodec::writeSortKey)
                                .messages(4, v.calls(), CallCodec::writeWindow));
            case PlanNode.UnionAll n -> out.message(13, n, (m, v) -> m.messages(1, v.inputs(), NodeCodec::write));
            case PlanNode.TableFunction n ->
                out.message(
                        14,
                        n,
                        (m, v) -> input(m, v.input())
                                .text(2, v.function())
                                .messages(3, v.arguments(), ExpressionCodec::write)
                                .messages(4, v.functionTypes(), TypeCodec::write)
                                .bool(5, v.outer()));
            case PlanNode.TableWrite n ->
                out.message(
                        15,
                        n,
                        (m, v) -> input(m, v.input())
                                .message(2, v.table(), TableCodec::writeTable)
                                .text(3, v.stagingPath())
                                .text(4, v.staticPartition())
                                .texts(5, v.dynamicColumns())
                                .bool(6, v.summarized())
                                .bool(7, v.bucketed())
                                .messages(
                                        8,
                                        v.partitionFormats().entrySet().stream()
                                                .sorted(Map.Entry.comparingByKey())
                                                .toList(),
                                        TableCodec::writePartitionFormat));
        }
    }

    private static MessageWriter input(MessageWriter out, PlanNode input) {
        return out.message(1, input, NodeCodec::write);
    }

    private static void writeScan(MessageWriter out, PlanNode.Scan scan) {
        out.integer(1, scan.id())
                .message(2, scan.request().table(), TableCodec::writeTable)
                .integers(3, scan.request().columns())
                .messages(4, scan.request().predicates(), TableCodec::writePredicate);
        scan.filter().ifPresent(filter -> out.message(5, filter, ExpressionCodec::write));
        out.messages(6, scan.runtimeFilters(), NodeCodec::writeRuntimeFilter)
                .messages(7, scan.splitFilters(), NodeCodec::writeSplitFilter);
    }

    private static void writeAggregate(MessageWriter out, PlanNode.Aggregate node) {
        input(out, node.input())
                .integer(2, node.step().ordinal())
                .integers(3, node.groupColumns())
                .messages(4, node.calls(), CallCodec::writeAggregate);
    }

    private static void writeJoin(MessageWriter out, PlanNode.Join join) {
        out.message(1, join.left(), NodeCodec::write)
                .message(2, join.right(), NodeCodec::write)
                .integer(3, join.kind().ordinal())
                .integers(4, join.leftKeys())
                .integers(5, join.rightKeys())
                .integers(
                        6,
                        join.nullSafe().stream()
                                .map(nullSafe -> nullSafe ? 1 : 0)
                                .toList());
        join.residual().ifPresent(residual -> out.message(7, residual, ExpressionCodec::write));
        out.messages(8, join.runtimeFilters(), NodeCodec::writeRuntimeFilter);
    }

    private static void writeRuntimeFilter(MessageWriter out, RuntimeFilter filter) {
        out.integer(1, filter.id()).integer(2, filter.column());
    }

    private static RuntimeFilter readRuntimeFilter(MessageReader in) {
        return new RuntimeFilter(in.number(1), in.number(2));
    }

    private static void writeSplitFilter(MessageWriter out, SplitFilter filter) {
        out.integer(1, filter.column()).integers(2, filter.fragments()).integer(3, filter.source());
    }

    private static SplitFilter readSplitFilter(MessageReader in) {
        return new SplitFilter(in.number(1), in.integers(2), in.number(3));
    }

    static PlanNode read(MessageReader in) {
        for (int kind = 1; kind <= 15; kind++) {
            if (in.has(kind)) {
                int number = kind;
                return in.message(kind, m -> read(number, m));
            }
        }
        throw unknown();
    }

    private static PlanNode read(int kind, MessageReader in) {
        return switch (kind) {
            case 1 -> readScan(in);
            case 2 -> new PlanNode.Values(in.messages(1, TypeCodec::read), in.messages(2, DatumCodec::readAll));
            case 3 ->
                new PlanNode.RemoteSource(
                        in.integers(1), in.messages(2, TypeCodec::read), in.messages(3, CallCodec::readSortKey));
            case 4 -> new PlanNode.Filter(input(in), in.message(2, ExpressionCodec::read));
            case 5 -> new PlanNode.Project(input(in), in.messages(2, ExpressionCodec::read));
            case 6 -> new PlanNode.Expand(input(in), in.messages(2, ExpressionCodec::readAll));
            case 7 ->
                new PlanNode.Aggregate(
                        input(in),
                        PlanNode.AggregateStep.values()[in.number(2)],
                        in.integers(3),
                        in.messages(4, CallCodec::readAggregate));
            case 8 -> readJoin(in);
            case 9 -> new PlanNode.Sort(input(in), in.messages(2, CallCodec::readSortKey));
            case 10 -> new PlanNode.TopN(input(in), in.messages(2, CallCodec::readSortKey), in.integer(3));
            case 11 -> new PlanNode.Limit(input(in), in.integer(2), in.integer(3));
            case 12 ->
                new PlanNode.Window(
                        input(in),
                        in.integers(2),
                        in.messages(3, CallCodec::readSortKey),
                        in.messages(4, CallCodec::readWindow));
            case 13 -> new PlanNode.UnionAll(in.messages(1, NodeCodec::read));
            case 14 ->
                new PlanNode.TableFunction(
                        input(in),
                        in.text(2),
                        in.messages(3, ExpressionCodec::read),
                        in.messages(4, TypeCodec::read),
                        in.bool(5));
            case 15 ->
                new PlanNode.TableWrite(
                        input(in),
                        in.message(2, TableCodec::readTable),
                        in.text(3),
                        in.text(4),
                        in.texts(5),
                        in.bool(7),
                        in.bool(6),
                        in.messages(8, TableCodec::readPartitionFormat).stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey, Map.Entry::getValue, (one, other) -> other)));
            default -> throw unknown();
        };
    }

    private static PlanNode input(MessageReader in) {
        return in.message(1, NodeCodec::read);
    }

    private static PlanNode readScan(MessageReader in) {
        ScanRequest request = new ScanRequest(
                in.message(2, TableCodec::readTable), in.integers(3), in.messages(4, TableCodec::readPredicate));
        return new PlanNode.Scan(
                in.number(1),
                request,
                in.optionalMessage(5, ExpressionCodec::read),
                in.messages(6, NodeCodec::readRuntimeFilter),
                in.messages(7, NodeCodec::readSplitFilter));
    }

    private static PlanNode readJoin(MessageReader in) {
        Optional<io.skep.engine.plan.Expression> residual = in.optionalMessage(7, ExpressionCodec::read);
        return new PlanNode.Join(
                PlanNode.JoinKind.values()[in.number(3)],
                in.message(1, NodeCodec::read),
                in.message(2, NodeCodec::read),
                in.integers(4),
                in.integers(5),
                in.integers(6).stream().map(nullSafe -> nullSafe != 0).toList(),
                residual,
                in.messages(8, NodeCodec::readRuntimeFilter));
    }

    private static SkepException unknown() {
        return new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "a plan holds a node of unknown kind");
    }
}
