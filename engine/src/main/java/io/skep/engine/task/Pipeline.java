package io.skep.engine.task;

import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorFactory;
import io.skep.engine.operator.OperatorStatsCollector;
import io.skep.engine.operator.scan.ScanOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A chain of operators from source to sink, and the number of drivers that run it. Built while a plan is traversed. */
final class Pipeline {
    private final List<OperatorFactory> factories = new ArrayList<>();
    /** The collectors of the nodes to which the operators belong. */
    private final List<OperatorStatsCollector> owners = new ArrayList<>();

    private final int drivers;

    Pipeline(int drivers, OperatorFactory source) {
        this.drivers = drivers;
        factories.add(source);
    }

    Pipeline then(OperatorFactory factory) {
        factories.add(factory);
        return this;
    }

    /** Says to which node of the plan those operators belong that do not belong to another one. */
    void claim(OperatorStatsCollector node) {
        while (owners.size() < factories.size()) {
            owners.add(node);
        }
    }

    /** Returns the collector to which each operator adds. */
    List<OperatorStatsCollector> owners() {
        return List.copyOf(owners);
    }

    int drivers() {
        return drivers;
    }

    List<Operator> create(OperatorContext context) {
        List<Operator> operators = new ArrayList<>();
        for (int i = 0; i < factories.size(); i++) {
            OperatorStatsCollector owner = owners.get(i);
            owner.run();
            operators.add(factories.get(i).create(context.of(owner)));
        }
        if (operators.getFirst() instanceof ScanOperator scan) {
            batchesInUse(operators).ifPresent(scan::recycle);
        }
        return operators;
    }

    /**
     * Returns the number of the source's batches that are still in use when the next one is requested. That is one for
     * each operator before the first one that copies what it keeps. Empty if batches may be kept.
     */
    static OptionalInt batchesInUse(List<Operator> operators) {
        for (int i = 1; i < operators.size(); i++) {
            switch (operators.get(i).inputRetention()) {
                case RETAINS_INPUT -> {
                    return OptionalInt.empty();
                }
                case PASSES_ON -> {}
                case COPIES -> {
                    return OptionalInt.of(i - 1);
                }
            }
        }
        return OptionalInt.empty();
    }
}
