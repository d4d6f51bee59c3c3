/**
 * The cache's second tier: chunks that memory gave up, in a file for each local folder. A ring of segments, written whole and one
 * after the other; the oldest is forgotten when its place is needed. The file is deleted at start and at stop. Nothing here knows
 * what a chunk holds or which file it came from.
 */
@NullMarked
package io.skep.llap.server.disk;

import org.jspecify.annotations.NullMarked;
