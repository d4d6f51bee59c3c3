package io.skep.ql.optimize;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.TopDownGeneralDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns correlated subqueries into joins. Calcite has two decorrelators, and both fail on some queries. The first one
 * gives smaller plans, but fails on grouping by constants and on the nullability of an aggregate's result. The general
 * one fails below some set operations. Therefore both are tried in turn: first on the whole query, then on its
 * correlated parts alone, without the operators above them.
 */
record Decorrelation(RelBuilder builder) {
    private static final Logger LOG = LoggerFactory.getLogger(Decorrelation.class);

    /**
     * @throws SkepException NOT_SUPPORTED if no attempt gives a plan with the query's columns and without correlation
     */
    RelNode of(RelNode root) {
        List<RuntimeException> failures = new ArrayList<>();
        for (UnaryOperator<RelNode> way : List.<UnaryOperator<RelNode>>of(
                this::first, this::general, rel -> parts(rel, this::first), rel -> parts(rel, this::general))) {
            Optional<RelNode> result = attempt(way, root, failures);
            if (result.isPresent()) {
                return result.get();
            }
        }
        SkepException failure = new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "the correlated subqueries of this query cannot be planned")
                .withHint("write a subquery as a join");
        failures.forEach(failure::addSuppressed);
        throw failure;
    }

    private RelNode first(RelNode root) {
        return RelDecorrelator.decorrelateQuery(root, builder);
    }

    private RelNode general(RelNode root) {
        return TopDownGeneralDecorrelator.decorrelateQuery(root, builder);
    }

    private static RelNode parts(RelNode root, UnaryOperator<RelNode> way) {
        return root.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return other instanceof Correlate ? way.apply(other) : super.visit(other);
            }
        });
    }

    /**
     * Runs one decorrelator. Its own checks fail with an AssertionError, and its defects cause RuntimeExceptions of
     * many kinds.
     */
    private static Optional<RelNode> attempt(
            UnaryOperator<RelNode> way, RelNode root, List<RuntimeException> failures) {
        try {
            RelNode result = way.apply(root);
            if (columns(result).equals(columns(root)) && !QueryShape.of(result).nested()) {
                return Optional.of(result);
            }
            failures.add(new IllegalStateException("columns " + columns(root) + " became " + columns(result)));
        } catch (RuntimeException | AssertionError e) {
            LOG.debug("a decorrelator failed", e);
            failures.add(e instanceof RuntimeException failure ? failure : new IllegalStateException(e));
        }
        return Optional.empty();
    }

    private static List<SqlTypeName> columns(RelNode rel) {
        return rel.getRowType().getFieldList().stream()
                .map(RelDataTypeField::getType)
                .map(type -> type.getSqlTypeName())
                .toList();
    }
}
