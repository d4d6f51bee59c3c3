/**
 * Expressions at run time. {@link io.skep.engine.expression.ExpressionCompiler} compiles a plan's expressions to
 * evaluators over batches. This package handles encodings (constants, dictionaries) and conditional evaluation. It does
 * not define what a function computes.
 */
@NullMarked
package io.skep.engine.expression;

import org.jspecify.annotations.NullMarked;
