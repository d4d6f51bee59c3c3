/**
 * The catalog over Hive's metastore library, which runs in this process on a database. The library's object store reads
 * and writes rows; what Hive's metastore service does around it (warehouse rules, files, statistics that a change makes
 * stale, the notification log) is done here. The library's Thrift objects do not leave this package. Each of their
 * fields may be null by its declaration, so classes that handle them are not null-marked.
 */
@NullMarked
package io.skep.metastore.hive;

import org.jspecify.annotations.NullMarked;
