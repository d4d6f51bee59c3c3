/**
 * Reads splits through the column cache. Cached columns are decoded; missing columns are read by the I/O pool and
 * cached.
 */
@NullMarked
package io.skep.llap.server.read;

import org.jspecify.annotations.NullMarked;
