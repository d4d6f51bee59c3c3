/**
 * Runs stage graphs as Tez DAGs. A fragment is a vertex, and its tasks are the vertex's tasks. Rows go through the
 * daemons' exchange, and Tez carries only their addresses. All code that uses classes of Tez is here.
 */
@NullMarked
package io.skep.tez;

import org.jspecify.annotations.NullMarked;
