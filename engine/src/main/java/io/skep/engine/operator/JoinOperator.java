package io.skep.engine.operator;

import io.skep.common.vector.Batch;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.plan.PlanNode.JoinKind;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The probe side of a join. Waits for the build side; probes its table, or, when that has been spilled, spills the probe rows
 * as well and then joins partitions, which it takes from those that all drivers share.
 */
public final class JoinOperator implements Operator {
    private final HashJoin.Shared shared;
    private final OperatorContext context;
    private final OperatorMemory memory;
    private final ExpressionCompiler compiler;
    private final JoinBuild build;
    private @Nullable JoinProbe probe;
    private @Nullable SpillPartitions spilled;
    private @Nullable SpilledJoin job;
    private boolean finishing;
    private boolean reported;
    private boolean givesUnmatched;
    private boolean done;

    public JoinOperator(HashJoin.Shared shared, ExpressionCompiler compiler, OperatorContext context) {
        this.shared = shared;
        this.context = context;
        this.memory = context.account();
        this.compiler = compiler;
        this.build = shared.build(context);
    }

    @Override
    public CompletableFuture<?> blocked() {
        if (!build.built().isDone()) {
            return build.built();
        }
        return reported && !done && probe == null ? shared.allProbed() : NOT_BLOCKED;
    }

    @Override
    public boolean needsInput() {
        if (finishing || done || !build.built().isDone()) {
            return false;
        }
        JoinProbe current = probe();
        return current == null || current.idle();
    }

    /** The probe of the table in memory, or null when there is none. */
    private @Nullable JoinProbe probe() {
        if (probe == null) {
            JoinTable table = build.table();
            if (table != null) {
                probe = new JoinProbe(shared.spec(), shared.spec().kind(), compiler);
                probe.setTable(table);
            }
        }
        return probe;
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
        if (!finishing) {
            return null;
        }
        return current == null ? joinSpilled() : end(current);
    }

    /** The end of a join in memory: what was held back, and from the last driver the build rows without a match. */
    private @Nullable Batch end(JoinProbe current) {
        if (!reported) {
            report();
            return current.flush();
        }
        Batch batch = givesUnmatched ? current.unmatchedBuild() : null;
        done = batch == null;
        return batch;
    }

    private void report() {
        reported = true;
        SpillPartitions handedOver = spilled;
        spilled = null;
        boolean last = shared.probed(handedOver);
        givesUnmatched = last && shared.spec().keepsRight();
    }

    private @Nullable Batch joinSpilled() {
        if (!reported) {
            report();
        }
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

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public boolean finished() {
        return done || build.built().isDone() && neverMatches();
    }

    /** An empty build side ends joins that give nothing without it, before their probe side is read. */
    private boolean neverMatches() {
        JoinTable table = build.table();
        JoinKind kind = shared.spec().kind();
        return table != null
                && table.rowCount() == 0
                && (kind == JoinKind.INNER || kind == JoinKind.SEMI || kind == JoinKind.RIGHT);
    }

    /** A driver that ends early, under a limit, has probed all that it will: others may wait for that. */
    @Override
    public void close() {
        if (!reported) {
            report();
        }
        if (probe != null) {
            probe.close();
        }
        if (job != null) {
            job.close();
            job = null;
        }
        if (spilled != null) {
            spilled.finish().forEach(SpillPartitions.Part::close);
        }
        memory.close();
    }
}
