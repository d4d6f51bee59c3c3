/**
 * Transactions over Hive's transactional tables, as Hive's metastore keeps them: transactions, write ids, locks, and
 * what is listed about them. The tables in the metastore's database are Hive's own, so that servers of Skep and Hive
 * work on the same transactional tables. The files of the tables are not known here.
 */
@NullMarked
package io.skep.metastore.transaction;

import org.jspecify.annotations.NullMarked;
