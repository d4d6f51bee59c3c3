/** The names under which programs know Hive's input formats for LLAP. What they do is in {@code io.skep.mapred}. */
@NullMarked
package org.apache.hadoop.hive.llap;

import org.jspecify.annotations.NullMarked;
