/**
 * The cache's second tier: chunks that memory has evicted, in one file for each local folder. The file is a ring of
 * segments, each written as a whole, in order. The oldest segment is dropped when its place is needed. The file is
 * deleted at start and at stop. No class here depends on a chunk's contents or its source file.
 */
@NullMarked
package io.skep.llap.server.disk;

import org.jspecify.annotations.NullMarked;
