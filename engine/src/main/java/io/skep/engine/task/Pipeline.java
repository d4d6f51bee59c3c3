package io.skep.engine.task;

import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;

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
        return operators;
    }
}
