/**
 * Paths that statements name: what they mean, and which of them are refused. Here is no access to a table's files, and no
 * syntax tree.
 */
@NullMarked
package io.skep.ql.path;

import org.jspecify.annotations.NullMarked;
