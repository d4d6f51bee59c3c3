/**
 * The catalog as the rest of Skep sees it: records and the {@link io.skep.metastore.Catalog} interface. Hive's
 * metastore library stays behind it.
 */
@NullMarked
package io.skep.metastore;

import org.jspecify.annotations.NullMarked;
