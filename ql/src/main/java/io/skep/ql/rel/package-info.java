/**
 * Calcite as Skep uses it: the type system, the mapping of types and constants, operators, the table adapter and the
 * relational operators that Calcite lacks. No HiveQL here, and no planning rules.
 */
@NullMarked
package io.skep.ql.rel;

import org.jspecify.annotations.NullMarked;
