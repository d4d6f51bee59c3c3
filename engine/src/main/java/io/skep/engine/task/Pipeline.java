package io.skep.engine.task;

import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorFactory;
import io.skep.engine.operator.scan.ScanOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A chain of operators, from source to sink, and how many drivers run it alike. Built up while a plan is walked. */
final class Pipeline {
    private final List<OperatorFactory> factories = new ArrayList<>();
    private final int drivers;

    Pipeline(int drivers, OperatorFactory source) {
        this.drivers = drivers;
        factories.add(source);
    }

    Pipeline then(OperatorFactory factory) {
        factories.add(factory);
        return this;
    }

    int drivers() {
        return drivers;
    }

    List<Operator> create(OperatorContext context) {
        List<Operator> operators = new ArrayList<>();
        for (OperatorFactory factory : factories) {
            operators.add(factory.create(context));
        }
        if (operators.getFirst() instanceof ScanOperator scan) {
            lookedAtOnce(operators).ifPresent(scan::recycle);
        }
        return operators;
    }

    /**
     * How many of the source's batches are looked at when the next one is asked for: one in each operator up to the first one that
     * copies what it keeps; absent when they may be kept.
     */
    static OptionalInt lookedAtOnce(List<Operator> operators) {
        for (int i = 1; i < operators.size(); i++) {
            switch (operators.get(i).inputUse()) {
                case KEEPS -> {
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
