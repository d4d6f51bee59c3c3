package io.skep.engine.operator;

/** Creates a pipeline's operator for each of its drivers, in their order. Holds the state that the operators share. */
@FunctionalInterface
public interface OperatorFactory {
    Operator create(OperatorContext context);
}
