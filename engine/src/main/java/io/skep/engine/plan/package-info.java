/**
 * The one contract between compiler and runtime: immutable, serializable plans. Knows nothing of Calcite, Tez or Hadoop, and
 * of the runtime that carries it out.
 */
@NullMarked
package io.skep.engine.plan;

import org.jspecify.annotations.NullMarked;
