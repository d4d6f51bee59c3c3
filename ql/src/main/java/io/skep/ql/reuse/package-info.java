/**
 * Plans that are used again: queries that differ only in integers compared with columns share the work from text to
 * optimized algebra. What depends on values (pruning, estimates, physical plan) is not kept here.
 */
@NullMarked
package io.skep.ql.reuse;

import org.jspecify.annotations.NullMarked;
