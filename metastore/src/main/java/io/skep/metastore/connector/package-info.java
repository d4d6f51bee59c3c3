/**
 * Data connectors, as Hive's metastore keeps them: names for other database systems, which remote databases refer to.
 * Nothing connects to them here.
 */
@NullMarked
package io.skep.metastore.connector;

import org.jspecify.annotations.NullMarked;
