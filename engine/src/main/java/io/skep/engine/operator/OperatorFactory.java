package io.skep.engine.operator;

/** Makes a pipeline's operator for each of its drivers, in their order; knows what these share. */
@FunctionalInterface
public interface OperatorFactory {
    Operator create(OperatorContext context);
}
