package io.skep.engine.operator.join;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.expression.FilterEvaluator;
import io.skep.engine.operator.ColumnUse;
import io.skep.engine.operator.OuterRows;
import io.skep.engine.operator.SmallBatches;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.rows.JoinIndex;
import io.skep.engine.rows.RowEquality;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Joins probe batches with a table, returning at most one batch of output at a time. Pairs come from the chains of the
 * hash directory, one step of all chains at a time. Without keys they come from all pairs of rows. Owned by one thread.
 */
final class JoinProbe implements AutoCloseable {
    private static final int PAIRS = Batch.TARGET_ROWS;

    /** The maximum number of steps over candidates per call, so that a join without matches can be interrupted. */
    private static final int STEPS = 64;

    private final JoinSpec spec;
    private final JoinKind kind;
    private final List<Integer> residualColumns;
    private final @Nullable FilterEvaluator residual;
    private final SmallBatches small;
    private final int batchRows;
    /** The maximum number of pairs that are returned at once. */
    private final int mostPairs;

    private int[] activeRows = new int[PAIRS];
    private int[] candidates = new int[PAIRS];
    private int[] pairProbe = new int[2 * PAIRS];
    private int[] pairBuild = new int[2 * PAIRS];
    private int[] stepProbe = new int[PAIRS];
    private int[] stepBuild = new int[PAIRS];
    private int[] passed = new int[PAIRS];
    private boolean[] probeMatched = new boolean[PAIRS];
    private int active;
    private int pairs;
    /** The number of pairs already returned. All pairs are returned before the next ones are searched. */
    private int given;

    private int crossProbe;
    private int crossBuild;
    private @Nullable JoinTable table;
    private JoinIndex.@Nullable Lookup lookup;
    private @Nullable Batch batch;
    private int unmatchedNext;

    /** @param kind the join kind to apply to each table, which may differ from the kind of the whole join */
    JoinProbe(JoinSpec spec, JoinKind kind, ExpressionCompiler compiler) {
        this.spec = spec;
        this.kind = kind;
        this.residualColumns = ColumnUse.columns(spec.residual().stream().toList());
        this.residual = spec.residual()
                .map(condition -> compiler.compileFilter(ColumnUse.over(residualColumns, condition)))
                .orElse(null);
        List<SqlType> types = new ArrayList<>(spec.leftTypes());
        if (spec.outputsPairs()) {
            types.addAll(spec.rightTypes());
        }
        this.small = new SmallBatches(types);
        this.batchRows = BatchRows.of(IntStream.range(0, types.size())
                .filter(spec.used()::get)
                .mapToObj(types::get)
                .toList());
        this.mostPairs = batchRows < Batch.TARGET_ROWS ? batchRows : Integer.MAX_VALUE;
    }

    void setTable(JoinTable newTable) {
        table = newTable;
        lookup = null;
        unmatchedNext = 0;
    }

    private JoinIndex.Lookup lookup(JoinTable build) {
        JoinIndex.Lookup existing = lookup;
        if (existing == null) {
            existing = build.index().newLookup();
            lookup = existing;
        }
        return existing;
    }

    boolean idle() {
        return batch == null;
    }

    /** Returns which rows of the last input batch have matched. */
    boolean[] probeMatched() {
        return probeMatched;
    }

    void start(Batch probe) {
        JoinTable build = java.util.Objects.requireNonNull(table);
        int rows = probe.rowCount();
        grow(rows);
        batch = probe;
        Arrays.fill(probeMatched, 0, rows, false);
        pairs = 0;
        given = 0;
        crossProbe = 0;
        crossBuild = 0;
        active = rows;
        for (int i = 0; i < rows; i++) {
            activeRows[i] = i;
        }
        if (build.rowCount() == 0) {
            active = 0;
        } else if (build.hashed()) {
            List<Vector> probeKeys = spec.leftKeys(probe);
            for (int key = 0; key < probeKeys.size(); key++) {
                if (!spec.nullSafe().get(key)) {
                    active = RowEquality.retainNotNull(probeKeys.get(key), activeRows, active);
                }
            }
            active = lookup(build).find(probeKeys, rows, activeRows, active, candidates);
        }
    }

    private void grow(int rows) {
        if (activeRows.length < rows) {
            activeRows = new int[rows];
            candidates = new int[rows];
            stepProbe = new int[rows];
            stepBuild = new int[rows];
            pairProbe = new int[rows + PAIRS];
            pairBuild = new int[rows + PAIRS];
            passed = new int[rows + PAIRS];
            probeMatched = new boolean[rows];
        }
        if (passed.length < pairProbe.length) {
            passed = new int[pairProbe.length];
        }
    }

    /** Returns the next output rows of the current probe batch, or null if there are none at present. */
    @Nullable
    Batch next() {
        Batch probe = batch;
        JoinTable build = table;
        if (probe == null || build == null) {
            return null;
        }
        boolean ready = given > 0 || find(probe, build);
        Batch result = ready ? emit(probe, build) : null;
        if (active == 0 && given == 0) {
            batch = null;
        }
        return result == null ? null : small.add(result);
    }

    /** Searches for the next pairs. Returns true if there are pairs, and either enough of them or all. */
    private boolean find(Batch probe, JoinTable build) {
        for (int step = 0; step < STEPS && active > 0 && pairs < PAIRS; step++) {
            int found = build.hashed() ? hashStep() : crossStep(build);
            accept(probe, build, found);
            if (build.hashed()) {
                active = lookup(build).advance(activeRows, candidates, active);
            }
        }
        if (active == 0) {
            endOfBatch(probe);
        }
        boolean more = active > 0 && pairs < PAIRS;
        return pairs > 0 && !more;
    }

    /** Returns the rows that are held back to make larger batches. */
    @Nullable
    Batch flush() {
        return small.flush();
    }

    /** Pairs each active row with its current build row. Their keys are equal. */
    private int hashStep() {
        System.arraycopy(activeRows, 0, stepProbe, 0, active);
        System.arraycopy(candidates, 0, stepBuild, 0, active);
        return active;
    }

    /** Pairs the next probe row with build rows, then the following probe rows, until a batch is full. */
    private int crossStep(JoinTable build) {
        int found = 0;
        while (active > 0 && found < PAIRS) {
            int row = activeRows[crossProbe];
            boolean enough = probeMatched[row] && (kind == JoinKind.SEMI || kind == JoinKind.ANTI);
            int count = enough ? 0 : Math.min(PAIRS - found, build.rowCount() - crossBuild);
            for (int i = 0; i < count; i++) {
                stepProbe[found] = row;
                stepBuild[found++] = crossBuild++;
            }
            if (enough || crossBuild == build.rowCount()) {
                crossBuild = 0;
                crossProbe++;
                active--;
            }
        }
        return found;
    }

    /** Accepts the pairs of the step that pass the residual condition. */
    private void accept(Batch probe, JoinTable build, int found) {
        int count = residual == null || found == 0 ? found : residual(probe, build, residual, found);
        boolean[] buildMatched = build.matched();
        boolean keepsPairs = kind != JoinKind.SEMI && kind != JoinKind.ANTI;
        for (int i = 0; i < count; i++) {
            int row = stepProbe[i];
            boolean first = !probeMatched[row];
            probeMatched[row] = true;
            if (buildMatched.length > 0) {
                buildMatched[stepBuild[i]] = true;
            }
            if (keepsPairs || first && kind == JoinKind.SEMI) {
                pairProbe[pairs] = row;
                pairBuild[pairs++] = stepBuild[i];
            }
        }
        if (!keepsPairs && count > 0 && build.hashed()) {
            dropMatched();
        }
    }

    /** Drops left rows that have matched and need no second match. */
    private void dropMatched() {
        int kept = 0;
        for (int i = 0; i < active; i++) {
            int row = activeRows[i];
            activeRows[kept] = row;
            candidates[kept] = candidates[i];
            kept += probeMatched[row] ? 0 : 1;
        }
        active = kept;
    }

    private int residual(Batch probe, JoinTable build, FilterEvaluator condition, int found) {
        List<Vector> columns = new ArrayList<>();
        int left = spec.leftTypes().size();
        for (int column : residualColumns) {
            columns.add(
                    column < left
                            ? probe.column(column).select(stepProbe, found)
                            : build.rows().column(column - left).select(stepBuild, found));
        }
        int count = condition.filter(new Batch(columns, found), passed);
        for (int i = 0; i < count; i++) {
            stepProbe[i] = stepProbe[passed[i]];
            stepBuild[i] = stepBuild[passed[i]];
        }
        return count;
    }

    /** Adds the rows without a match if the join returns them. */
    private void endOfBatch(Batch probe) {
        if (kind != JoinKind.LEFT && kind != JoinKind.FULL && kind != JoinKind.ANTI) {
            return;
        }
        int rows = probe.rowCount();
        if (pairProbe.length < pairs + rows) {
            pairProbe = Arrays.copyOf(pairProbe, pairs + rows);
            pairBuild = Arrays.copyOf(pairBuild, pairs + rows);
        }
        for (int i = 0; i < rows; i++) {
            if (!probeMatched[i]) {
                pairProbe[pairs] = i;
                pairBuild[pairs++] = -1;
            }
        }
    }

    private Batch emit(Batch probe, JoinTable build) {
        int count = Math.min(pairs - given, mostPairs);
        int[] left = Arrays.copyOfRange(pairProbe, given, given + count);
        int[] right = Arrays.copyOfRange(pairBuild, given, given + count);
        given += count;
        if (given == pairs) {
            pairs = 0;
            given = 0;
        }
        boolean whole = small.passesAtOnce(count) && isIdentity(left, count, probe.rowCount());
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < spec.leftTypes().size(); i++) {
            Vector column = probe.column(i);
            columns.add(
                    !spec.used().get(i)
                            ? VectorAppender.nulls(spec.leftTypes().get(i), count)
                            : whole ? column : column.select(left, count));
        }
        if (spec.outputsPairs()) {
            addRight(columns, build, right, count);
        }
        return new Batch(columns, count);
    }

    private static boolean isIdentity(int[] positions, int count, int rows) {
        if (count != rows) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (positions[i] != i) {
                return false;
            }
        }
        return true;
    }

    private void addRight(List<Vector> columns, JoinTable build, int[] right, int count) {
        int left = spec.leftTypes().size();
        boolean outer = kind == JoinKind.LEFT || kind == JoinKind.FULL;
        for (int i = 0; i < spec.rightTypes().size(); i++) {
            SqlType type = spec.rightTypes().get(i);
            Vector column = build.rows().column(i);
            columns.add(
                    !spec.used().get(left + i)
                            ? VectorAppender.nulls(type, count)
                            : outer ? OuterRows.select(column, type, right, count) : column.select(right, count));
        }
    }

    /** Returns the next rows of the table that have matched no probe row, or null at the end. */
    @Nullable
    Batch unmatchedBuild() {
        JoinTable build = java.util.Objects.requireNonNull(table);
        boolean[] matched = build.matched();
        int[] rows = new int[batchRows];
        int count = 0;
        while (unmatchedNext < matched.length && count < batchRows) {
            rows[count] = unmatchedNext;
            count += matched[unmatchedNext++] ? 0 : 1;
        }
        if (count == 0) {
            return null;
        }
        List<Vector> columns = new ArrayList<>();
        for (SqlType type : spec.leftTypes()) {
            columns.add(VectorAppender.nulls(type, count));
        }
        columns.addAll(build.rows().select(rows, count).columns());
        return new Batch(columns, count);
    }

    @Override
    public void close() {
        batch = null;
        table = null;
        if (residual != null) {
            residual.close();
        }
    }
}
