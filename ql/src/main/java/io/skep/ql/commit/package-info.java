/**
 * Commits: how files that a statement wrote become a table's, all or none, beside readers, other writers and other servers. It knows
 * files, journals, leases and the catalog; what statements mean is the business of {@code io.skep.ql.statement}.
 */
@NullMarked
package io.skep.ql.commit;

import org.jspecify.annotations.NullMarked;
