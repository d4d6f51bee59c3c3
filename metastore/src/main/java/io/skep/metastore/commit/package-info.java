/**
 * Commits of the servers that share a metastore database, as the database knows them. Plain JDBC; what a commit does is
 * the compiler's.
 */
@NullMarked
package io.skep.metastore.commit;

import org.jspecify.annotations.NullMarked;
