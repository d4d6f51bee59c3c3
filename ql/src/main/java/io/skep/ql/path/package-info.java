/**
 * Resolves the paths that statements name, and rejects those that are not allowed. This package accesses no table files
 * and uses no syntax trees.
 */
@NullMarked
package io.skep.ql.path;

import org.jspecify.annotations.NullMarked;
