/** Spark in a process of its own, for tests. Runs on Java 17, without Skep's classes but those of skep-spark.jar. */
@NullMarked
package io.skep.itests.spark;

import org.jspecify.annotations.NullMarked;
