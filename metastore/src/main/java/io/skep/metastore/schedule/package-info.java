/**
 * Scheduled queries and their executions, as Hive's metastore keeps them. Servers of Skep and Hive that share a
 * database share its scheduled queries. What runs the statements is not known here.
 */
@NullMarked
package io.skep.metastore.schedule;

import org.jspecify.annotations.NullMarked;
