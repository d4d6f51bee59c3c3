/** Wires a catalog for a server: data directory, database, library, cache. */
@NullMarked
package io.skep.metastore.local;

import org.jspecify.annotations.NullMarked;
