/**
 * Commits: files that a statement wrote become a table's files, all or none, concurrently with readers, other writers
 * and other servers. This package handles files, journals, leases and the catalog. The meaning of statements is handled
 * by {@code io.skep.ql.statement}.
 */
@NullMarked
package io.skep.ql.commit;

import org.jspecify.annotations.NullMarked;
