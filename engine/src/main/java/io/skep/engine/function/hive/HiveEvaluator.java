package io.skep.engine.function.hive;

import io.skep.common.type.SqlType;
import io.skep.storage.serde.value.HiveValueWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.Mode;

/** A UDAF evaluator that is initialized for a step, and the writer of its results. Owned by one thread. */
public final class HiveEvaluator {
    private final String name;
    private final GenericUDAFEvaluator evaluator;
    private final HiveValueWriter writer;
    private final HiveSession session;

    private HiveEvaluator(String name, HiveAggregates.Initialized initialized, HiveSession session) {
        this.name = name;
        this.evaluator = initialized.evaluator();
        this.writer = HiveValueWriter.of(initialized.result());
        this.session = session;
    }

    /** @param mode PARTIAL1 or COMPLETE */
    public static HiveEvaluator raw(HiveAggregates aggregates, HiveAggregates.Bound bound, Mode mode) {
        return new HiveEvaluator(bound.name(), aggregates.raw(bound, mode), aggregates.session());
    }

    /** @param mode PARTIAL2 or FINAL */
    public static HiveEvaluator merging(
            HiveAggregates aggregates, HiveAggregates.Bound bound, SqlType stateType, Mode mode) {
        return new HiveEvaluator(bound.name(), aggregates.merging(bound, stateType, mode), aggregates.session());
    }

    public GenericUDAFEvaluator evaluator() {
        return evaluator;
    }

    public HiveValueWriter writer() {
        return writer;
    }

    /** A sequence of calls of the evaluator. */
    public interface Calls {
        void run() throws HiveException;
    }

    /** Runs calls of the evaluator within the session. */
    public void run(Calls calls) {
        try (HiveSession.Scope _ = session.enter()) {
            calls.run();
        } catch (HiveException | RuntimeException | LinkageError e) {
            throw HiveErrors.failed(name, e);
        }
    }

    public void close() {
        try {
            evaluator.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
