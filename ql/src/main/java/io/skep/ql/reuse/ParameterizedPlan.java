package io.skep.ql.reuse;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Catalog;
import io.skep.ql.ResultSchema;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.analyze.ParameterValues;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.LiteralMapping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexLiteral;

/**
 * A query's optimized algebra with parameters. Calcite's trees share a cluster with mutable parts, so only one thread
 * may use it at a time.
 *
 * @param names the names that its columns get in a table
 * @param reads the columns that it reads, which each user of the plan must be allowed to read
 * @param facts what it depends on of its user
 * @param sizes the expected sizes for the values that it was optimized for
 * @param isSmall whether traversing it needs little stack
 * @param bytes its estimated size on the heap
 */
public record ParameterizedPlan(
        RelNode algebra,
        ResultSchema schema,
        List<String> names,
        List<DependencyTrackingContext.Dependency> dependencies,
        List<ColumnRead> reads,
        Map<UserFact, String> facts,
        List<Parameter> parameters,
        CardinalityBucket sizes,
        boolean isSmall,
        long bytes) {
    public ParameterizedPlan {
        names = List.copyOf(names);
        dependencies = List.copyOf(dependencies);
        reads = List.copyOf(reads);
        facts = Map.copyOf(facts);
        parameters = List.copyOf(parameters);
    }

    /**
     * A literal that is left open.
     *
     * @param type the type of the column that it is compared with
     */
    record Parameter(LiftedLiteral literal, SqlType type) {
        int index() {
            return literal.index();
        }
    }

    boolean isUnchanged(Catalog catalog) {
        return dependencies.stream().allMatch(dependency -> dependency.isUnchanged(catalog));
    }

    /** Returns the tables and views that it reads, as {@code database.name}. */
    public Set<String> tables() {
        return dependencies.stream()
                .map(dependency -> dependency.database() + "." + dependency.table())
                .collect(Collectors.toUnmodifiableSet());
    }

    boolean hasJoins() {
        return CardinalityBucket.hasJoins(algebra);
    }

    ParameterizedPlan of(CardinalityBucket other) {
        return new ParameterizedPlan(
                algebra, schema, names, dependencies, reads, facts, parameters, other, isSmall, bytes);
    }

    /** Returns the literals of the statement's shape that are left open. */
    Set<Integer> free() {
        return parameters.stream().map(Parameter::index).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the algebra of a query with other literals. Empty if one of them would have led to another plan. */
    Optional<RelNode> bindValues(StatementShape shape, AnalysisContext context) {
        ParameterValues values = new ParameterValues(
                context, (HiveRexBuilder) algebra.getCluster().getRexBuilder());
        Map<Integer, List<RexLiteral>> bound = new HashMap<>();
        for (Parameter parameter : parameters) {
            Optional<List<RexLiteral>> literals = values(parameter, shape, values);
            if (literals.isEmpty()) {
                return Optional.empty();
            }
            bound.put(parameter.index(), literals.get());
        }
        return Optional.of(parameters.isEmpty() ? algebra : Parameters.bindValues(algebra, bound));
    }

    private static Optional<List<RexLiteral>> values(
            Parameter parameter, StatementShape shape, ParameterValues values) {
        List<RexLiteral> literals = new ArrayList<>();
        for (SyntaxNode written : parameter.literal().in(shape)) {
            Optional<RexLiteral> value = values.of(written, parameter.type());
            if (value.isEmpty() || parameter.literal().isRows() && isZero(value.get())) {
                return Optional.empty();
            }
            literals.add(value.get());
        }
        return Optional.of(literals);
    }

    /** LIMIT 0 returns no rows, and other rules apply to it. */
    private static boolean isZero(RexLiteral rows) {
        return LiteralMapping.toDatum(rows) instanceof Datum.OfLong number && number.value() == 0;
    }
}
