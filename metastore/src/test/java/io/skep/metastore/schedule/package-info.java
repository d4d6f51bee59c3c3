/** Tests of scheduled queries on each database. */
@NullMarked
package io.skep.metastore.schedule;

import org.jspecify.annotations.NullMarked;
