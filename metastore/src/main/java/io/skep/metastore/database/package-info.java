/**
 * The database below the catalog: the data folder and its lock, the embedded Derby database and its template, and
 * PostgreSQL's schema. Plain JDBC. This package does not use Hive's library.
 */
@NullMarked
package io.skep.metastore.database;

import org.jspecify.annotations.NullMarked;
