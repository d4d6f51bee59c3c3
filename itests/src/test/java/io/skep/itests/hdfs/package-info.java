/** Servers whose tables are on HDFS, and what they do when parts of it are lost. HDFS runs in a process of its own. */
@NullMarked
package io.skep.itests.hdfs;

import org.jspecify.annotations.NullMarked;
