/**
 * The contract between the compiler and the runtime: immutable, serializable plans. The package does not depend on
 * Calcite, Tez, Hadoop or the runtime that executes the plans.
 */
@NullMarked
package io.skep.engine.plan;

import org.jspecify.annotations.NullMarked;
