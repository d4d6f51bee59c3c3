/**
 * Merges the files of transactional tables: what a compaction reads and writes, and which files are not needed any
 * more. Who decides on compactions, and the transactions in which they run, are not here.
 */
@NullMarked
package io.skep.storage.compaction;

import org.jspecify.annotations.NullMarked;
