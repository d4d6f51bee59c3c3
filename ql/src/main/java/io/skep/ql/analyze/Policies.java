package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.rel.PolicyBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * Puts the row filter and the masks of a table or view over its rows: first the filter, then the masks of what it has
 * left, then a {@link PolicyBarrier}. Filter and masks see the values as they are stored. Policies that hide nothing
 * from the session's user leave nothing in the query.
 */
final class Policies {
    private final SyntaxNode where;
    private final Table table;
    private final TablePolicies policies;
    private final PolicyExpressions expressions;
    private final Environment environment;

    private Policies(SyntaxNode where, Table table, TablePolicies policies, Scope rows, Environment environment) {
        this.where = where;
        this.table = table;
        this.policies = policies;
        this.environment = environment.forPolicies(table);
        this.expressions = new PolicyExpressions(rows, this.environment);
    }

    /** @param where the name of the table in the statement */
    static Scope apply(SyntaxNode where, Table table, Scope rows, Environment environment) {
        TablePolicies policies = environment.context().policies(table);
        return policies.isEmpty()
                ? rows
                : new Policies(where, table, policies, rows, environment)
                        .hidden()
                        .map(rows::over)
                        .orElse(rows);
    }

    private Optional<RelNode> hidden() {
        try {
            requireColumns();
            Optional<RelNode> filtered = policies.rowFilter().map(this::parsed).flatMap(expressions::filtered);
            Optional<RelNode> masked = masked(filtered);
            return masked.or(() -> filtered).map(rel -> new PolicyBarrier(rel, table));
        } catch (SkepException e) {
            if (e.code() == StandardErrorCode.RECURSIVE_VIEW || e.code() == StandardErrorCode.MEMORY_LIMIT_EXCEEDED) {
                throw e;
            }
            throw new SkepException(
                            e.code(),
                            "the row filter or a mask of '" + table.qualifiedName() + "' is no longer valid: "
                                    + e.fullMessage(),
                            e)
                    .withHint("the table cannot be read until its owner has set or dropped it")
                    .at(where.position());
        }
    }

    /** A mask without its column would show what it was made for, perhaps under another name. */
    private void requireColumns() {
        List<String> names =
                Views.columns(table).stream().map(FieldSchema::name).toList();
        policies.masks().keySet().stream()
                .filter(name -> !names.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw SemanticErrors.semantic(where, "there is no column '" + name + "', which has a mask");
                });
    }

    private SyntaxNode parsed(String text) {
        SyntaxNode expression = new HiveSqlParser(environment.context().settings()).parseExpression(text);
        environment.expansion().add(where, expression);
        return expression;
    }

    /** Returns the rows with masked values. Empty if no value is changed. */
    private Optional<RelNode> masked(Optional<RelNode> filtered) {
        if (policies.masks().isEmpty()) {
            return Optional.empty();
        }
        Scope rows = expressions.over(filtered);
        List<RexNode> values = new ArrayList<>();
        boolean changed = false;
        List<FieldSchema> columns = Views.columns(table);
        for (int i = 0; i < rows.columns().size(); i++) {
            RexNode value = i < columns.size() ? value(rows, i, columns.get(i)) : rows.reference(i);
            changed |= !(value instanceof RexInputRef same && same.getIndex() == i);
            values.add(value);
        }
        return changed
                ? Optional.of(Projections.project(
                        environment.factory(),
                        rows,
                        values,
                        rows.rel().getRowType().getFieldNames()))
                : Optional.empty();
    }

    private RexNode value(Scope rows, int index, FieldSchema column) {
        String mask = policies.masks().get(column.name());
        return mask == null ? rows.reference(index) : expressions.decided(expressions.mask(rows, parsed(mask), column));
    }
}
