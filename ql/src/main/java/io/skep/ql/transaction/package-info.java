/**
 * The transaction of a statement that reads or writes transactional tables: its locks, its snapshot, its write ids and
 * its end. What a statement writes into such tables, and where, is not decided here.
 */
@NullMarked
package io.skep.ql.transaction;

import org.jspecify.annotations.NullMarked;
