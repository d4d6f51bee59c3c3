/**
 * The database under the catalog: the data folder and its lock, the embedded Derby database and its template,
 * PostgreSQL's schema. Plain JDBC; nothing here knows Hive's library.
 */
@NullMarked
package io.skep.metastore.database;

import org.jspecify.annotations.NullMarked;
