/**
 * Adapts Calcite to Skep: the type system, the mapping of types and constants, operators, the table adapter and the
 * relational operators that Calcite lacks. It contains no HiveQL and no planning rules.
 */
@NullMarked
package io.skep.ql.rel;

import org.jspecify.annotations.NullMarked;
