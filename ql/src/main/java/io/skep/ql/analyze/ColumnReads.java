package io.skep.ql.analyze;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.rel.PolicyBarrier;
import io.skep.ql.rel.Redistribute;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TableFunctionApply;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Finds the columns of named tables and views that analyzed algebra reads.
 *
 * <p>A column is read when an expression, condition, key or result uses it. A column that a subquery only passes on is
 * read when the outer query uses it, so {@code SELECT a FROM (SELECT * FROM t) s} reads {@code a} alone. Any other
 * expression counts even if its value is not used, since its errors may tell what it has read. An operator that this
 * class does not know reads all columns. The search ends at the rows of a view: the view's columns are read, and what
 * its text reads is the matter of its owner.
 */
public final class ColumnReads {
    private final NamedTables named;
    private final Map<String, ColumnRead> reads = new TreeMap<>();

    /** The fields of each relation that have been followed, since algebra may share relations. */
    private final IdentityHashMap<RelNode, ImmutableBitSet> followed = new IdentityHashMap<>();

    ColumnReads(NamedTables named) {
        this.named = named;
        named.all().forEach(table -> read(table, List.of()));
    }

    /** Returns the columns of tables that a query reads, also those that the texts of its views read. */
    public static List<ColumnRead> ofTables(RelNode query) {
        return new ColumnReads(new NamedTables()).query(query).found();
    }

    List<ColumnRead> found() {
        return List.copyOf(reads.values());
    }

    /** Adds the reads of a query whose rows are all returned. */
    ColumnReads query(RelNode root) {
        follow(root, all(root));
        return this;
    }

    /** Adds the reads of the subqueries of an expression. */
    ColumnReads expression(RexNode expression) {
        used(expression);
        return this;
    }

    private void read(Table table, List<String> columns) {
        TreeSet<String> all = new TreeSet<>(columns);
        Optional.ofNullable(reads.get(table.qualifiedName())).ifPresent(before -> all.addAll(before.columns()));
        reads.put(table.qualifiedName(), new ColumnRead(table, all));
    }

    private static ImmutableBitSet all(RelNode rel) {
        return ImmutableBitSet.range(rel.getRowType().getFieldCount());
    }

    private void follow(RelNode rel, ImmutableBitSet needed) {
        ImmutableBitSet before = followed.get(rel);
        if (before != null && before.contains(needed)) {
            return;
        }
        followed.put(rel, before == null ? needed : before.union(needed));
        Optional<Table> view = named.view(rel);
        if (view.isPresent()) {
            List<FieldSchema> columns = Views.columns(view.get());
            read(
                    view.get(),
                    needed.toList().stream().map(i -> columns.get(i).name()).toList());
            return;
        }
        switch (rel) {
            case TableScan scan -> scan(scan, needed);
            case PolicyBarrier barrier -> behind(barrier, needed);
            case Project project -> project(project, needed);
            case Filter filter -> into(filter, needed.union(used(filter.getCondition())));
            case Join join -> join(join, needed);
            case Aggregate aggregate -> aggregate(aggregate);
            case Sort sort ->
                into(sort, needed.union(ImmutableBitSet.of(sort.getCollation().getKeys())));
            case Redistribute spread ->
                into(
                        spread,
                        needed.union(ImmutableBitSet.of(spread.hashColumns()))
                                .union(ImmutableBitSet.of(spread.sort().getKeys())));
            case TableFunctionApply apply -> function(apply, needed);
            case SetOp set
            when set.all && set instanceof Union -> set.getInputs().forEach(input -> follow(input, needed));
            default -> unknown(rel);
        }
    }

    private void unknown(RelNode rel) {
        rel.accept(new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
                used(query);
                return query;
            }
        });
        rel.getInputs().forEach(input -> follow(input, all(input)));
    }

    private void scan(TableScan scan, ImmutableBitSet needed) {
        SkepTable table = scan.getTable().unwrap(SkepTable.class);
        if (table == null) {
            throw new IllegalStateException("a scan of no table: " + scan);
        }
        List<String> names = scan.getRowType().getFieldNames();
        read(table.table(), needed.toList().stream().map(names::get).toList());
    }

    /** A table or view with policies is read as if it had none: what they read is the matter of the owner. */
    private void behind(PolicyBarrier barrier, ImmutableBitSet needed) {
        List<FieldSchema> columns = Views.columns(barrier.table());
        List<String> names = barrier.getRowType().getFieldNames();
        read(
                barrier.table(),
                needed.toList().stream()
                        .map(i -> i < columns.size() ? columns.get(i).name() : names.get(i))
                        .toList());
    }

    /** Follows a relation's only input, with the fields that correlated subqueries of the relation use. */
    private void into(RelNode rel, ImmutableBitSet needed) {
        RelNode input = rel.getInput(0);
        follow(input, needed.union(correlated(rel)).intersect(all(input)));
    }

    /** Returns the fields of the input that subqueries of a relation use. */
    private static ImmutableBitSet correlated(RelNode rel) {
        if (rel.getVariablesSet().isEmpty()) {
            return ImmutableBitSet.of();
        }
        CorrelatedFields fields = new CorrelatedFields(rel.getVariablesSet());
        fields.visit(rel);
        return fields.found();
    }

    private void project(Project project, ImmutableBitSet needed) {
        ImmutableBitSet below = ImmutableBitSet.of();
        for (int i = 0; i < project.getProjects().size(); i++) {
            RexNode expression = project.getProjects().get(i);
            if (needed.get(i) || !(expression instanceof RexInputRef)) {
                below = below.union(used(expression));
            }
        }
        into(project, below);
    }

    private void join(Join join, ImmutableBitSet needed) {
        ImmutableBitSet fields = needed.union(used(join.getCondition()));
        if (!join.getVariablesSet().isEmpty()) {
            fields = ImmutableBitSet.range(join.getLeft().getRowType().getFieldCount()
                    + join.getRight().getRowType().getFieldCount());
        }
        int left = join.getLeft().getRowType().getFieldCount();
        follow(join.getLeft(), fields.intersect(ImmutableBitSet.range(left)));
        follow(
                join.getRight(),
                fields.except(ImmutableBitSet.range(left)).shift(-left).intersect(all(join.getRight())));
    }

    private void aggregate(Aggregate aggregate) {
        ImmutableBitSet.Builder fields = aggregate.getGroupSet().rebuild();
        aggregate.getAggCallList().forEach(call -> {
            fields.addAll(call.getArgList());
            fields.addAll(call.getCollation().getKeys());
            if (call.hasFilter()) {
                fields.set(call.filterArg);
            }
            call.rexList.forEach(value -> used(value).forEach(fields::set));
        });
        follow(aggregate.getInput(), fields.build());
    }

    private void function(TableFunctionApply apply, ImmutableBitSet needed) {
        ImmutableBitSet fields = needed;
        for (RexNode argument : apply.arguments()) {
            fields = fields.union(used(argument));
        }
        into(apply, fields);
    }

    /** Returns the fields that an expression uses, and follows its subqueries. */
    private ImmutableBitSet used(RexNode expression) {
        ImmutableBitSet.Builder fields = ImmutableBitSet.builder();
        expression.accept(new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitInputRef(RexInputRef reference) {
                fields.set(reference.getIndex());
                return null;
            }

            @Override
            public Void visitSubQuery(RexSubQuery query) {
                follow(query.rel, all(query.rel));
                return super.visitSubQuery(query);
            }
        });
        return fields.build();
    }
}
