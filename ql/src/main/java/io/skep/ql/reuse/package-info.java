/**
 * Plans that are used again: queries that differ only in literals that are compared with columns, or in their LIMIT, share the work
 * from text to optimized algebra. What depends on values (pruning, estimates, physical plan) is not kept here.
 */
@NullMarked
package io.skep.ql.reuse;

import org.jspecify.annotations.NullMarked;
