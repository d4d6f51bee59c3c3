/**
 * The catalog for the rest of Skep: records and the {@link io.skep.metastore.Catalog} interface. Code outside this
 * module does not use Hive's metastore library.
 */
@NullMarked
package io.skep.metastore;

import org.jspecify.annotations.NullMarked;
