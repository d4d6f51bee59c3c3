/** Hadoop's servers as tests want them: started, stopped and lost by commands. Nothing of Skep may be seen here. */
@NullMarked
package io.skep.itests.cluster;

import org.jspecify.annotations.NullMarked;
