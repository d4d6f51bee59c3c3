package io.skep.ql.physical;

import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.metastore.Table;
import io.skep.ql.rel.SkepTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Finds the aggregates of a query that exact statistics can answer: {@code count(*)}, {@code count(column)},
 * {@code min} and {@code max} without groups, over a whole table or over the partitions that a condition keeps. If the
 * query reads a table elsewhere, it reads it for all aggregates, so that it sees a single state of the table.
 */
public final class MetadataOnlyAggregates {
    private final RexTranslator rex;
    private final Source source;

    public MetadataOnlyAggregates(RexTranslator rex, Source source) {
        this.rex = rex;
        this.source = source;
    }

    /** Supplies exact statistics. */
    public interface Source {
        /**
         * Returns the parts of a table that remain after conditions over its partition columns. Empty if one of them
         * has no exact row count.
         */
        Optional<List<CountedPlace>> places(ScanAssignment scan);

        /** Runs code that requests places, while nothing can change them. */
        Answers withoutChanges(Supplier<Answers> asking);
    }

    /** An aggregate that statistics may answer. */
    private record Candidate(Aggregate aggregate, ScanAssignment scan, List<CountedAnswer> calls) {
        String table() {
            return scan.table().qualifiedName();
        }
    }

    public Answers of(RelNode root) {
        List<Candidate> candidates = new ArrayList<>();
        Set<String> read = new HashSet<>();
        collect(root, candidates, read);
        return candidates.isEmpty() ? Answers.NONE : source.withoutChanges(() -> answered(candidates, read));
    }

    private Answers answered(List<Candidate> candidates, Set<String> read) {
        Map<Aggregate, List<Datum>> rows = new HashMap<>();
        Map<ScanAssignment, Optional<List<CountedPlace>>> places = new HashMap<>();
        for (Candidate candidate : candidates) {
            Optional<List<Datum>> row = read.contains(candidate.table())
                    ? Optional.empty()
                    : places.computeIfAbsent(candidate.scan(), source::places).flatMap(found -> row(candidate, found));
            row.ifPresentOrElse(found -> rows.put(candidate.aggregate(), found), () -> read.add(candidate.table()));
        }
        Set<String> tables = new TreeSet<>();
        for (Candidate candidate : candidates) {
            if (read.contains(candidate.table())) {
                // This aggregate may have been answered before another aggregate of its table turned out to have no
                // answer.
                rows.remove(candidate.aggregate());
            } else {
                tables.add(candidate.table());
            }
        }
        return new Answers(rows, List.copyOf(tables));
    }

    private void collect(RelNode rel, List<Candidate> candidates, Set<String> read) {
        Optional<Candidate> candidate =
                rel instanceof LogicalAggregate aggregate ? candidate(aggregate) : Optional.empty();
        if (candidate.isPresent()) {
            candidates.add(candidate.get());
            return;
        }
        if (rel instanceof TableScan scan) {
            read.add(table(scan).qualifiedName());
        }
        rel.getInputs().forEach(input -> collect(input, candidates, read));
    }

    private static Table table(TableScan scan) {
        return scan.getTable().unwrapOrThrow(SkepTable.class).table();
    }

    /** Statistics are those of the whole table. */
    private static boolean isSampled(TableScan scan) {
        return scan.getTable().unwrapOrThrow(SkepTable.class).sample().isPresent();
    }

    private Optional<Candidate> candidate(Aggregate aggregate) {
        boolean whole = aggregate.getGroupType() == Aggregate.Group.SIMPLE && aggregate.getGroupCount() == 0;
        Project project = aggregate.getInput() instanceof Project above ? above : null;
        RelNode below = project == null ? aggregate.getInput() : project.getInput();
        Filter filter = below instanceof Filter condition ? condition : null;
        if (!whole || !((filter == null ? below : filter.getInput()) instanceof TableScan scan) || isSampled(scan)) {
            return Optional.empty();
        }
        Table table = table(scan);
        List<CountedAnswer> calls = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            Optional<CountedAnswer> answer = CountedAnswer.of(call, argument(call, project), table);
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            calls.add(answer.get());
        }
        return partitions(filter, table)
                .map(conditions -> new Candidate(aggregate, new ScanAssignment(0, table, conditions), calls));
    }

    /** Returns the argument of a call, over the table's columns. Empty for {@code count(*)} and equivalent calls. */
    private static Optional<RexNode> argument(AggregateCall call, @Nullable Project project) {
        if (call.getArgList().isEmpty()) {
            return Optional.empty();
        }
        int column = call.getArgList().getFirst();
        RexNode argument = project == null
                ? new RexInputRef(column, call.getType())
                : project.getProjects().get(column);
        boolean always = argument instanceof RexLiteral literal && !literal.isNull();
        return always ? Optional.empty() : Optional.of(argument);
    }

    /** Returns the conditions, if all of them are on partition columns. */
    private Optional<List<Expression>> partitions(@Nullable Filter filter, Table table) {
        if (filter == null) {
            return Optional.of(List.of());
        }
        var layout = TableLayouts.of(table);
        List<Expression> conjuncts = Expressions.conjuncts(rex.translate(filter.getCondition()));
        return conjuncts.stream().allMatch(conjunct -> ScanPlanning.onPartitionsOnly(conjunct, layout))
                ? Optional.of(ScanPlanning.overPartitionKeys(conjuncts, layout))
                : Optional.empty();
    }

    private static Optional<List<Datum>> row(Candidate candidate, List<CountedPlace> places) {
        List<Datum> row = new ArrayList<>();
        for (CountedAnswer call : candidate.calls()) {
            Optional<Datum> value = call.value(places);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            row.add(value.get());
        }
        return Optional.of(row);
    }
}
