/** Servers whose tables are on HDFS, and their behavior when parts of it are lost. HDFS runs in its own process. */
@NullMarked
package io.skep.itests.hdfs;

import org.jspecify.annotations.NullMarked;
