/**
 * The database state of commits by servers that share a metastore database. Plain JDBC. The content of a commit is
 * defined by the compiler.
 */
@NullMarked
package io.skep.metastore.commit;

import org.jspecify.annotations.NullMarked;
