package io.skep.ql.optimize;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.ql.rel.HiveAggFunction;
import io.skep.ql.rel.HiveTypeFactory;
import io.skep.ql.rel.MergeAggregate;
import io.skep.ql.rel.PartialAggregate;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * An aggregation in two steps with states in between. An aggregation is only split if a small state represents all its
 * rows. DISTINCT and order within groups exclude this. So do lists, maps and sketches, which joins would copy for each
 * match. Decimals of the maximum width are excluded too, because a sum that overflowed leaves no trace in its state.
 */
final class SplitAggregate {
    private static final AggregateSignature COUNT =
            new AggregateSignature("count", List.of(), PrimitiveType.BIGINT, PrimitiveType.BIGINT);

    private final Aggregate aggregate;
    private final List<SqlType> inputTypes;

    private SplitAggregate(Aggregate aggregate) {
        this.aggregate = aggregate;
        this.inputTypes = TypeMapping.columnTypes(aggregate.getInput().getRowType());
    }

    static Optional<SplitAggregate> of(Aggregate aggregate) {
        boolean splits = aggregate.getAggCallList().stream().allMatch(call -> isGrouping(call) || splits(call));
        return splits ? Optional.of(new SplitAggregate(aggregate)) : Optional.empty();
    }

    /** Whether a call only identifies the grouping set. */
    private static boolean isGrouping(AggregateCall call) {
        return call.getAggregation().getKind() == SqlKind.GROUPING;
    }

    private static boolean splits(AggregateCall call) {
        return resolved(call)
                        .filter(signature -> isSmall(signature.stateType()))
                        .isPresent()
                && call.getAggregation().isDeterministic()
                && !call.isDistinct()
                && !call.isApproximate()
                && !call.ignoreNulls()
                && call.distinctKeys == null
                && call.rexList.isEmpty()
                && call.getCollation().equals(RelCollations.EMPTY);
    }

    /**
     * Returns the signature that the analyzer resolved, or that of a count. Empty for functions that only rules of the
     * optimizer create.
     */
    private static Optional<AggregateSignature> resolved(AggregateCall call) {
        if (call.getAggregation() instanceof HiveAggFunction function) {
            return Optional.of(function.signature());
        }
        return call.getAggregation().getKind() == SqlKind.COUNT ? Optional.of(COUNT) : Optional.empty();
    }

    private static boolean isSmall(SqlType state) {
        return switch (state) {
            case PrimitiveType primitive -> primitive != PrimitiveType.BINARY;
            case DecimalType decimal -> decimal.precision() < DecimalType.MAX_PRECISION;
            case CharType _, VarcharType _ -> true;
            case StructType struct -> struct.fields().stream().allMatch(field -> isSmall(field.type()));
            case ArrayType _, MapType _, UnionType _ -> false;
        };
    }

    private List<AggregateCall> calls() {
        return aggregate.getAggCallList().stream()
                .filter(call -> !isGrouping(call))
                .toList();
    }

    /** Returns the group keys, over the input. */
    List<RexNode> keys() {
        return aggregate.getGroupSet().asList().stream().map(this::column).toList();
    }

    /** Returns the arguments of all calls, call by call, over the input. A call's filter follows its arguments. */
    List<RexNode> arguments() {
        List<RexNode> arguments = new ArrayList<>();
        for (AggregateCall call : calls()) {
            call.getArgList().forEach(argument -> arguments.add(column(argument)));
            if (call.hasFilter()) {
                arguments.add(column(call.filterArg));
            }
        }
        return arguments;
    }

    private RexNode column(int index) {
        return RexInputRef.of(index, aggregate.getInput().getRowType());
    }

    int states() {
        return calls().size();
    }

    /**
     * Builds the first step. Its output is the keys, then the states.
     *
     * @param keys the number of key columns, which are the first columns of the input
     * @param arguments the positions of {@link #arguments} in the input
     */
    RelNode partial(RelNode input, int keys, List<Integer> arguments) {
        TypeMapping types = types();
        List<AggregateCall> partial = new ArrayList<>();
        int next = 0;
        for (AggregateCall call : calls()) {
            int count = call.getArgList().size();
            List<Integer> columns = arguments.subList(next, next + count);
            next += count;
            int filter = call.hasFilter() ? arguments.get(next++) : -1;
            RelDataType state = types.toRel(signature(call).stateType());
            partial.add(step(call, columns, filter, state, "state" + partial.size()));
        }
        return new PartialAggregate(input, ImmutableBitSet.range(keys), partial);
    }

    /** Builds the last step, over the keys and then the states. */
    RelNode merge(RelNode input) {
        int keys = aggregate.getGroupCount();
        List<AggregateCall> merging = new ArrayList<>();
        int next = keys;
        for (AggregateCall call : aggregate.getAggCallList()) {
            merging.add(
                    isGrouping(call)
                            ? grouping(call)
                            : step(call, List.of(next++), -1, call.getType(), call.getName()));
        }
        List<ImmutableBitSet> sets =
                aggregate.getGroupSets().stream().map(this::positions).toList();
        return new MergeAggregate(input, ImmutableBitSet.range(keys), sets, merging);
    }

    private ImmutableBitSet positions(ImmutableBitSet set) {
        return ImmutableBitSet.of(set.asList().stream()
                .map(column -> aggregate.getGroupSet().indexOf(column))
                .toList());
    }

    private AggregateCall grouping(AggregateCall call) {
        return call.withArgList(call.getArgList().stream()
                .map(argument -> aggregate.getGroupSet().indexOf(argument))
                .toList());
    }

    private AggregateCall step(
            AggregateCall call, List<Integer> columns, int filter, RelDataType type, @Nullable String name) {
        return AggregateCall.create(
                new HiveAggFunction(signature(call), type),
                false,
                false,
                false,
                List.of(),
                columns,
                filter,
                null,
                RelCollations.EMPTY,
                type,
                name);
    }

    /** Returns the function's signature with the types of its arguments in this aggregation's input. */
    private AggregateSignature signature(AggregateCall call) {
        AggregateSignature resolved = resolved(call).orElseThrow();
        List<SqlType> arguments =
                call.getArgList().stream().map(inputTypes::get).toList();
        return new AggregateSignature(resolved.function(), arguments, resolved.stateType(), resolved.type());
    }

    private TypeMapping types() {
        return new TypeMapping((HiveTypeFactory) aggregate.getCluster().getTypeFactory());
    }
}
