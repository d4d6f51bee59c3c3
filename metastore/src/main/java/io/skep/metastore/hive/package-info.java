/**
 * The catalog over Hive's metastore library, which runs in this process on a database. The library's object store reads
 * and writes rows. This package does the other work of Hive's metastore service: warehouse rules, files, statistics
 * that a change makes stale, and the notification log. The library's Thrift objects do not leave this package. Each of
 * their fields may be null by its declaration, so classes that handle them are not null-marked.
 */
@NullMarked
package io.skep.metastore.hive;

import org.jspecify.annotations.NullMarked;
