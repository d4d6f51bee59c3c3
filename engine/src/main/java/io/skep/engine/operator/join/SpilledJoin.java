package io.skep.engine.operator.join;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorMemory;
import io.skep.engine.operator.SpillPartitions;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.rows.Concatenation;
import io.skep.engine.rows.RetainedBytes;
import io.skep.engine.rows.RowHash;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The join of one spilled partition. A build side that fits into memory is loaded and probed. One that does not fit is
 * partitioned again, together with its probe side. If it has been partitioned too often, or there are no keys, the
 * build side is loaded in parts. Then the probe side is read once for each part, and a bit set records which of its
 * rows have matched. Processed by one driver at a time.
 */
final class SpilledJoin implements AutoCloseable {
    private static final int MAX_LEVEL = 3;

    private enum State {
        LOAD,
        PROBE,
        UNMATCHED_BUILD,
        LAST_PASS,
        DONE
    }

    private final List<SpillPartitions.Part> buildParts;
    private final List<SpillPartitions.Part> probeParts;
    private final int level;
    private final BitSet probeMatched = new BitSet();
    private State state = State.LOAD;
    private int buildPart;
    private int probePart;
    private int probeRow;
    private int batchStart;
    private int batchRows;
    private boolean inParts;
    private @Nullable JoinProbe probe;

    private SpilledJoin(List<SpillPartitions.Part> buildParts, List<SpillPartitions.Part> probeParts, int level) {
        this.buildParts = List.copyOf(buildParts);
        this.probeParts = List.copyOf(probeParts);
        this.level = level;
    }

    /** Creates jobs from the parts of a build side and the parts of the probe sides of all drivers. */
    static List<SpilledJoin> pair(List<SpillPartitions.Part> build, List<SpillPartitions> probes) {
        List<List<SpillPartitions.Part>> buildBy = byPartition(build);
        List<SpillPartitions.Part> allProbes = new ArrayList<>();
        probes.forEach(side -> allProbes.addAll(side.finish()));
        List<List<SpillPartitions.Part>> probeBy = byPartition(allProbes);
        List<SpilledJoin> jobs = new ArrayList<>();
        for (int i = 0; i < SpillPartitions.COUNT; i++) {
            if (!buildBy.get(i).isEmpty() || !probeBy.get(i).isEmpty()) {
                int level = (buildBy.get(i).isEmpty() ? probeBy : buildBy)
                        .get(i)
                        .getFirst()
                        .level();
                jobs.add(new SpilledJoin(buildBy.get(i), probeBy.get(i), level));
            }
        }
        return jobs;
    }

    private static List<List<SpillPartitions.Part>> byPartition(List<SpillPartitions.Part> parts) {
        List<List<SpillPartitions.Part>> by = new ArrayList<>();
        for (int i = 0; i < SpillPartitions.COUNT; i++) {
            by.add(new ArrayList<>());
        }
        parts.forEach(part -> by.get(part.partition()).add(part));
        return by;
    }

    boolean done() {
        return state == State.DONE;
    }

    /** Performs one step. Returns output rows, or null if there are none at present. */
    @Nullable
    Batch next(HashJoin.Shared shared, OperatorContext context, OperatorMemory memory, ExpressionCompiler compiler) {
        return switch (state) {
            case LOAD -> {
                if (givesNothing(shared.spec())) {
                    state = State.DONE;
                } else {
                    load(shared, context, memory, compiler);
                }
                yield null;
            }
            case PROBE -> probe(shared.spec());
            case UNMATCHED_BUILD -> unmatchedBuild();
            case LAST_PASS -> lastPass(shared.spec());
            case DONE -> null;
        };
    }

    /** Whether one side has no rows and the join does not return unmatched rows of the other. */
    private boolean givesNothing(JoinSpec spec) {
        return probeParts.isEmpty() && !spec.keepsRight() || buildParts.isEmpty() && !spec.keepsLeft();
    }

    private void load(
            HashJoin.Shared shared, OperatorContext context, OperatorMemory memory, ExpressionCompiler compiler) {
        JoinSpec spec = shared.spec();
        List<Batch> loaded = new ArrayList<>();
        long rows = 0;
        long bytes = 0;
        boolean refused = false;
        RetainedBytes keptBytes = new RetainedBytes();
        for (Batch batch = nextBuild(); batch != null; batch = nextBuild()) {
            loaded.add(batch);
            rows += batch.rowCount();
            bytes += keptBytes.of(batch);
            if (!memory.trySet(JoinBuild.estimatedBytes(rows, bytes))) {
                refused = true;
                break;
            }
        }
        if (refused && !inParts && level < MAX_LEVEL && !spec.leftKeys().isEmpty()) {
            partition(shared, context, loaded);
            memory.trySet(0);
            state = State.DONE;
            return;
        }
        inParts |= refused;
        JoinProbe newProbe = new JoinProbe(spec, inParts ? kindOfPart(spec.kind()) : spec.kind(), compiler);
        Batch all = Concatenation.of(loaded, spec.spilledTypes());
        loaded.clear();
        newProbe.setTable(JoinTable.fromSpilled(all, spec));
        closeProbe();
        probe = newProbe;
        rewindProbe();
        state = State.PROBE;
    }

    /** Returns the join kind that is applied to each part of the build side. The last pass does the rest. */
    private static JoinKind kindOfPart(JoinKind kind) {
        return switch (kind) {
            case INNER, LEFT -> JoinKind.INNER;
            case RIGHT, FULL -> JoinKind.RIGHT;
            case SEMI, ANTI -> JoinKind.ANTI;
        };
    }

    private void partition(HashJoin.Shared shared, OperatorContext context, List<Batch> loaded) {
        JoinSpec spec = shared.spec();
        SpillPartitions build = new SpillPartitions(context.spill(), "join-build", level + 1);
        SpillPartitions probes = new SpillPartitions(context.spill(), "join-probe", level + 1);
        try {
            Iterator<Batch> first = loaded.iterator();
            context.repeat(() -> {
                Batch batch = first.hasNext() ? first.next() : nextBuild();
                if (batch != null) {
                    add(build, batch, spec.rightKeys(batch));
                }
                return batch != null;
            });
            context.repeat(() -> {
                Batch batch = nextProbe();
                if (batch != null) {
                    add(probes, batch, spec.leftKeys(batch));
                }
                return batch != null;
            });
        } finally {
            shared.addJobs(pair(build.finish(), List.of(probes)));
            close();
        }
    }

    static void add(SpillPartitions partitions, Batch batch, List<Vector> keys) {
        long[] hashes = new long[batch.rowCount()];
        RowHash.hash(keys, batch.rowCount(), hashes);
        partitions.add(batch, hashes);
    }

    private @Nullable Batch nextBuild() {
        while (buildPart < buildParts.size()) {
            Batch batch = buildParts.get(buildPart).next();
            if (batch != null) {
                return batch;
            }
            buildPart++;
        }
        return null;
    }

    private @Nullable Batch nextProbe() {
        while (probePart < probeParts.size()) {
            Batch batch = probeParts.get(probePart).next();
            if (batch != null) {
                return batch;
            }
            probePart++;
        }
        return null;
    }

    private void rewindProbe() {
        probeParts.forEach(SpillPartitions.Part::rewind);
        probePart = 0;
        probeRow = 0;
    }

    private @Nullable Batch probe(JoinSpec spec) {
        JoinProbe current = java.util.Objects.requireNonNull(probe);
        boolean marksOnly = inParts && !spec.outputsPairs();
        if (current.idle()) {
            keepMatched(current);
            Batch batch = nextProbe();
            if (batch == null) {
                state = inParts && !spec.keepsRight()
                        ? afterPart()
                        : spec.keepsRight() ? State.UNMATCHED_BUILD : State.DONE;
                return marksOnly ? null : current.flush();
            }
            batchStart = probeRow;
            batchRows = batch.rowCount();
            probeRow += batchRows;
            current.start(batch);
        }
        Batch result = current.next();
        return marksOnly ? null : result;
    }

    /** Records which rows of the last probe batch have matched. */
    private void keepMatched(JoinProbe current) {
        if (inParts) {
            boolean[] matched = current.probeMatched();
            for (int i = 0; i < batchRows; i++) {
                if (matched[i]) {
                    probeMatched.set(batchStart + i);
                }
            }
        }
        batchRows = 0;
    }

    private @Nullable Batch unmatchedBuild() {
        Batch batch = java.util.Objects.requireNonNull(probe).unmatchedBuild();
        if (batch == null) {
            state = inParts ? afterPart() : State.DONE;
        }
        return batch;
    }

    private State afterPart() {
        if (buildPart < buildParts.size()) {
            return State.LOAD;
        }
        rewindProbe();
        return State.LAST_PASS;
    }

    /**
     * Returns the probe rows that the join returns because they have no match, or for a semi join because they have
     * one.
     */
    private @Nullable Batch lastPass(JoinSpec spec) {
        boolean semi = spec.kind() == JoinKind.SEMI;
        Batch batch = semi || spec.keepsLeft() ? nextProbe() : null;
        if (batch == null) {
            state = State.DONE;
            return null;
        }
        int[] positions = new int[batch.rowCount()];
        int count = 0;
        for (int i = 0; i < positions.length; i++) {
            positions[count] = i;
            count += probeMatched.get(probeRow + i) == semi ? 1 : 0;
        }
        probeRow += batch.rowCount();
        List<Vector> columns = new ArrayList<>(batch.select(positions, count).columns());
        if (spec.outputsPairs()) {
            for (SqlType type : spec.rightTypes()) {
                columns.add(VectorAppender.nulls(type, count));
            }
        }
        return new Batch(columns, count);
    }

    private void closeProbe() {
        if (probe != null) {
            probe.close();
            probe = null;
        }
    }

    @Override
    public void close() {
        closeProbe();
        buildParts.forEach(SpillPartitions.Part::close);
        probeParts.forEach(SpillPartitions.Part::close);
    }
}
