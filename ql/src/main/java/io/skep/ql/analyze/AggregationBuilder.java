package io.skep.ql.analyze;

import com.google.common.collect.ImmutableList;
import io.skep.common.error.SkepException;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveAggFunction;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Builds the aggregate of a query block: a projection of the keys and arguments, and the aggregate over it. */
final class AggregationBuilder {
    private final Environment environment;
    private final Scope input;
    private final RelFactory factory;
    private final ExpressionAnalyzer expressions;
    private final List<RexNode> fields = new ArrayList<>();
    private final List<AggregateCall> aggregateCalls = new ArrayList<>();
    private final Map<String, Integer> callFields = new HashMap<>();
    private int keyCount;

    AggregationBuilder(Environment environment, Scope input) {
        this.environment = environment;
        this.input = input;
        this.factory = environment.factory();
        this.expressions = new ExpressionAnalyzer(environment, input, Optional.empty());
    }

    /** @param calls all aggregate calls of the block */
    Aggregation build(GroupBy groupBy, List<SyntaxNode> keyExpressions, List<SyntaxNode> calls) {
        List<RexNode> keys = expressions.analyze(keyExpressions);
        keyCount = keys.size();
        fields.addAll(keys);
        // The text of a view compares the keys in its sets with its keys, so that their names are resolved alike.
        expressions.analyze(groupBy.inSets());
        for (SyntaxNode call : calls) {
            callFields.computeIfAbsent(call.shape(), shape -> add(aggregateCall(call)));
        }
        OptionalInt grouping = OptionalInt.empty();
        if (groupBy.grouped() && keyCount > 0) {
            grouping = OptionalInt.of(add(groupingCall()));
        }
        if (fields.isEmpty()) {
            fields.add(factory.rex().constant(new Datum.OfLong(0), PrimitiveType.INT));
        }
        RelNode projected = Projections.project(factory, input, fields, List.of());
        RelNode aggregate = LogicalAggregate.create(
                projected,
                List.of(),
                ImmutableBitSet.range(keyCount),
                groupBy.grouped() ? sortedSets(groupBy.sets()) : null,
                aggregateCalls);
        List<ScopeColumn> unnamed =
                Collections.nCopies(aggregate.getRowType().getFieldCount(), new ScopeColumn("", "", "", false, false));
        Scope scope = new Scope(factory, aggregate, unnamed, input.outer());
        return new Aggregation(environment, input, scope, keys, callFields, grouping);
    }

    /** Calcite requires grouping sets sorted in its own order and without duplicates. */
    private static ImmutableList<ImmutableBitSet> sortedSets(List<ImmutableBitSet> sets) {
        return ImmutableBitSet.ORDERING.immutableSortedCopy(
                sets.stream().distinct().toList());
    }

    private int add(AggregateCall call) {
        int known = aggregateCalls.indexOf(call);
        if (known >= 0) {
            return keyCount + known;
        }
        aggregateCalls.add(call);
        return keyCount + aggregateCalls.size() - 1;
    }

    private int field(RexNode value) {
        int known = fields.indexOf(value);
        if (known >= 0) {
            return known;
        }
        fields.add(value);
        return fields.size() - 1;
    }

    private AggregateCall groupingCall() {
        List<Integer> all = ImmutableBitSet.range(keyCount).asList();
        RelDataType type = factory.types().notNull(PrimitiveType.BIGINT);
        return AggregateCall.create(
                SqlStdOperatorTable.GROUPING,
                false,
                false,
                false,
                List.of(),
                all,
                -1,
                null,
                RelCollations.EMPTY,
                type,
                null);
    }

    private AggregateCall aggregateCall(SyntaxNode call) {
        String name = FunctionCalls.name(call);
        boolean distinct = call.is(HiveParser.TOK_FUNCTIONDI);
        List<RexNode> arguments = new ArrayList<>(expressions.analyze(FunctionCalls.arguments(call)));
        call.first(HiveParser.TOK_WITHIN_GROUP)
                .ifPresent(within -> WithinGroup.addArguments(arguments, within, expressions));
        boolean star =
                name.equals("count") && (call.is(HiveParser.TOK_FUNCTIONSTAR) || !distinct && constant(arguments));
        if (star) {
            arguments.clear();
        } else if (name.equals("count") && arguments.isEmpty()) {
            throw ArgumentErrors.ofClass(call, "Argument expected");
        }
        AggregateSignature signature = signature(call, name, arguments, distinct, star);
        List<Integer> positions = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            SqlType type = signature.parameterTypes().get(i);
            positions.add(field(factory.rex().cast(arguments.get(i), type)));
        }
        boolean count = name.equals("count");
        RelDataType type = count ? factory.types().notNull(signature.type()) : factory.type(signature.type());
        return AggregateCall.create(
                // Uses Calcite's own COUNT. Calcite's decorrelation checks for this class to return 0 where a subquery
                // finds no row.
                count ? SqlStdOperatorTable.COUNT : new HiveAggFunction(signature, type),
                distinct,
                false,
                false,
                List.of(),
                positions,
                -1,
                null,
                RelCollations.EMPTY,
                type,
                null);
    }

    /** Whether the only argument is a non-null constant: {@code count(1)} counts rows. */
    private static boolean constant(List<RexNode> arguments) {
        return arguments.size() == 1 && arguments.getFirst() instanceof RexLiteral literal && !literal.isNull();
    }

    private AggregateSignature signature(
            SyntaxNode call, String name, List<RexNode> arguments, boolean distinct, boolean star) {
        if (name.equals("count") && arguments.size() > 1 && !distinct) {
            throw ArgumentErrors.ofClass(call, "DISTINCT keyword must be specified");
        }
        try {
            return environment
                    .context()
                    .functions()
                    .aggregate(name, Arguments.describe(arguments, environment), distinct, star);
        } catch (SkepException e) {
            throw ArgumentErrors.ofClass(call, e);
        }
    }
}
