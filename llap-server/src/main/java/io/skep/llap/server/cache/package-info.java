/**
 * The daemon's caches: encoded column chunks off the heap, and open files with their indexes. A second tier takes what memory gives up.
 * Nothing here reads a file or knows a query.
 */
@NullMarked
package io.skep.llap.server.cache;

import org.jspecify.annotations.NullMarked;
