/**
 * Stage graphs as Tez DAGs: a fragment is a vertex, its tasks are the vertex's tasks, rows go through the daemons' exchange and
 * Tez carries only their addresses. Everything that names a class of Tez is here.
 */
@NullMarked
package io.skep.tez;

import org.jspecify.annotations.NullMarked;
