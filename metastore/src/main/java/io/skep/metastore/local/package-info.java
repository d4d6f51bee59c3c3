/** Builds a server's catalog from the data directory, database, library and cache. */
@NullMarked
package io.skep.metastore.local;

import org.jspecify.annotations.NullMarked;
