/**
 * The daemon's caches: encoded column chunks outside the heap, and open files with their indexes. A second tier stores
 * chunks that memory evicts. No class here reads a file or depends on queries.
 */
@NullMarked
package io.skep.llap.server.cache;

import org.jspecify.annotations.NullMarked;
