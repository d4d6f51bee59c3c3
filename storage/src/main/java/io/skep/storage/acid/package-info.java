/**
 * The layout of transactional tables: which files a snapshot consists of, the identifiers of rows, and the rows that
 * delete events name.
 */
@NullMarked
package io.skep.storage.acid;

import org.jspecify.annotations.NullMarked;
