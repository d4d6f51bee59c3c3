/**
 * Resolves names and types of queries and expressions by Hive's rules: syntax tree to algebra. Statements that are no
 * queries live elsewhere, and nothing is optimized here.
 */
@NullMarked
package io.skep.ql.analyze;

import org.jspecify.annotations.NullMarked;
