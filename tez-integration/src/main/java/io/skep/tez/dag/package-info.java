/** Stage graphs as DAGs, and their runs on daemons or in containers. */
@NullMarked
package io.skep.tez.dag;

import org.jspecify.annotations.NullMarked;
