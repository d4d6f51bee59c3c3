/**
 * Reuses plans. Queries that differ only in literals compared with columns, or in their LIMIT, share the work from text
 * to optimized algebra. Results that depend on values (pruning, estimates, physical plan) are not cached here.
 */
@NullMarked
package io.skep.ql.reuse;

import org.jspecify.annotations.NullMarked;
