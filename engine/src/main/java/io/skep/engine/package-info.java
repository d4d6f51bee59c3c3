/**
 * The plan that compiler and runtime share, and the columnar runtime that executes it; nothing here knows of HiveQL,
 * Calcite, Tez or the metastore.
 */
@NullMarked
package io.skep.engine;

import org.jspecify.annotations.NullMarked;
