/**
 * The plan that the compiler and the runtime share, and the columnar runtime that executes it. The code in this package
 * does not depend on HiveQL, Calcite, Tez or the metastore.
 */
@NullMarked
package io.skep.engine;

import org.jspecify.annotations.NullMarked;
