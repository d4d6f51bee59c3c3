/**
 * Expressions at run time: {@link io.skep.engine.expression.ExpressionCompiler} turns a plan's expressions into evaluators
 * over batches. Encodings (constants, dictionaries) and conditional evaluation live here; what a function computes does not.
 */
@NullMarked
package io.skep.engine.expression;

import org.jspecify.annotations.NullMarked;
