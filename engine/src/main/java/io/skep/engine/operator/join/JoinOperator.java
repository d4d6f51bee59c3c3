package io.skep.engine.operator.join;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.operator.InputRetention;
import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorMemory;
import io.skep.engine.operator.SpillPartitions;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.spill.SpillFile;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The probe side of a join. It waits for the build side and probes its table. If the table has been spilled or is
 * revoked, the operator spills the remaining probe rows too. It then joins partitions, which it takes from a list that
 * all drivers share.
 */
public final class JoinOperator implements Operator {
    private final HashJoin.Shared shared;
    private final OperatorContext context;
    private final OperatorMemory memory;
    private final ExpressionCompiler compiler;
    private final JoinBuild build;
    private boolean entered;
    private boolean neverMatches;
    private @Nullable JoinProbe probe;
    /** Rows that the probe of the table had held back to make larger batches. */
    private @Nullable Batch held;

    private @Nullable SpillPartitions spilled;
    private @Nullable SpilledJoin job;
    /** Reads the rows without a match that were spilled. */
    private SpillFile.@Nullable Reader unmatched;

    private @Nullable SpillFile unmatchedFile;
    private boolean finishing;
    private HashJoin.@Nullable RemainingWork rest;
    private boolean done;

    public JoinOperator(HashJoin.Shared shared, ExpressionCompiler compiler, OperatorContext context) {
        this.shared = shared;
        this.context = context;
        this.memory = context.account();
        this.compiler = compiler;
        this.build = shared.build(context);
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.JOIN;
    }

    @Override
    public CompletableFuture<?> blocked() {
        if (!build.built().isDone()) {
            return build.built();
        }
        return rest == HashJoin.RemainingWork.PARTITIONS && held == null && !done ? shared.allProbed() : NOT_BLOCKED;
    }

    @Override
    public InputRetention inputRetention() {
        return InputRetention.PASSES_ON;
    }

    @Override
    public boolean needsInput() {
        if (finishing || done || !build.built().isDone()) {
            return false;
        }
        JoinProbe current = probe();
        return (current == null || current.idle()) && held == null;
    }

    /** Returns the probe of the table in memory, or null if there is no such table or the driver has left it. */
    private @Nullable JoinProbe probe() {
        JoinProbe current = probe;
        if (!entered) {
            entered = true;
            current = enter();
        } else if (current != null && rest == null && current.idle() && build.revoked()) {
            leave(current);
            current = null;
        }
        return current;
    }

    private @Nullable JoinProbe enter() {
        JoinTable table = build.enter();
        if (table == null) {
            return null;
        }
        JoinKind kind = shared.spec().kind();
        neverMatches =
                table.rowCount() == 0 && (kind == JoinKind.INNER || kind == JoinKind.SEMI || kind == JoinKind.RIGHT);
        JoinProbe entering = new JoinProbe(shared.spec(), kind, compiler);
        entering.setTable(table);
        probe = entering;
        return entering;
    }

    private void leave(JoinProbe current) {
        held = current.flush();
        current.close();
        probe = null;
        build.leave();
    }

    @Override
    public void add(Batch batch) {
        JoinProbe current = probe();
        if (current != null) {
            current.start(batch);
        } else {
            SpillPartitions target = spilled;
            if (target == null) {
                target = new SpillPartitions(context.spill(), "join-probe", 0);
                spilled = target;
            }
            SpilledJoin.add(target, batch, shared.spec().leftKeys(batch));
        }
    }

    @Override
    public @Nullable Batch output() {
        if (done || !build.built().isDone()) {
            return null;
        }
        JoinProbe current = probe();
        if (current != null && !current.idle()) {
            return current.next();
        }
        if (finishing && rest == null) {
            report();
        }
        Batch ready = held;
        held = null;
        return ready == null && rest != null ? rest(rest) : ready;
    }

    private void report() {
        JoinProbe current = probe;
        if (current != null) {
            held = current.flush();
            build.leave();
        }
        SpillPartitions handedOver = spilled;
        spilled = null;
        rest = shared.finishProbing(handedOver);
        if (current != null && rest != HashJoin.RemainingWork.UNMATCHED) {
            current.close();
            probe = null;
        }
    }

    private @Nullable Batch rest(HashJoin.RemainingWork left) {
        return switch (left) {
            case NOTHING -> {
                done = true;
                yield null;
            }
            case UNMATCHED -> {
                Batch batch = nextUnmatched();
                done = batch == null;
                yield batch;
            }
            case PARTITIONS -> joinSpilled();
        };
    }

    private @Nullable Batch nextUnmatched() {
        if (unmatched != null) {
            return unmatched.next();
        }
        Batch batch = probe == null ? null : probe.unmatchedBuild();
        if (batch == null) {
            build.release();
        }
        return batch;
    }

    private @Nullable Batch joinSpilled() {
        if (!shared.allProbed().isDone()) {
            return null;
        }
        SpilledJoin current = job;
        if (current == null) {
            current = shared.nextJob();
            job = current;
            done = current == null;
        }
        if (current == null) {
            return null;
        }
        Batch batch = current.next(shared, context, memory, compiler);
        if (current.done()) {
            current.close();
            job = null;
            memory.trySet(0);
        }
        return batch;
    }

    /** Between batches, leaves the table at once. Otherwise the table is left when the batch has been probed. */
    @Override
    public void revokeMemory() {
        if (rest == HashJoin.RemainingWork.UNMATCHED && build.isRevocationRequested()) {
            spillUnmatched();
            return;
        }
        build.revokeMemory();
        if (entered) {
            var _ = probe();
        }
        build.declineRevocation();
    }

    private void spillUnmatched() {
        JoinProbe current = probe;
        if (done || current == null || unmatched != null) {
            return;
        }
        SpillFile file = context.spill().create("join-unmatched");
        unmatchedFile = file;
        for (Batch batch = current.unmatchedBuild(); batch != null; batch = current.unmatchedBuild()) {
            file.add(batch);
        }
        unmatched = file.read();
        current.close();
        probe = null;
        build.release();
    }

    @Override
    public void finish() {
        finishing = true;
    }

    /** With an empty build side, a join that then returns no rows finishes before it reads its probe side. */
    @Override
    public boolean finished() {
        if (!done && !entered && build.built().isDone()) {
            var _ = probe();
        }
        return done || neverMatches;
    }

    /**
     * A driver that stops early, under a limit, reports that it has finished probing, because other drivers may wait
     * for it.
     */
    @Override
    public void close() {
        if (rest == null) {
            report();
        }
        try (memory) {
            if (probe != null) {
                probe.close();
                probe = null;
            }
            if (job != null) {
                job.close();
                job = null;
            }
            if (unmatchedFile != null) {
                unmatchedFile.close();
            }
        }
    }
}
