/** Stage graphs as Tez DAGs, and what of Skep runs inside Tez; Tez is used here and nowhere else. */
@NullMarked
package io.skep.tez;

import org.jspecify.annotations.NullMarked;
