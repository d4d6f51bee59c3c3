/**
 * Parses HiveQL text into syntax trees with Hive's own grammar. Hive's parser and its ANTLR version are not visible
 * outside; the rest of ql uses {@link io.skep.ql.parse.SyntaxNode}s. This package does not resolve names.
 */
@NullMarked
package io.skep.ql.parse;

import org.jspecify.annotations.NullMarked;
