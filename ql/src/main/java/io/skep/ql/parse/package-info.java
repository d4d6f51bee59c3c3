/**
 * HiveQL text to syntax tree, by Hive's own grammar. Hive's parser and its ANTLR stay in here; the rest of ql sees
 * {@link io.skep.ql.parse.SyntaxNode}s. No names are resolved.
 */
@NullMarked
package io.skep.ql.parse;

import org.jspecify.annotations.NullMarked;
