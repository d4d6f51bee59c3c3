/**
 * Vertex and edge managers: the number of tasks and their splits, from the sizes and values of what other tasks have
 * written.
 */
@NullMarked
package io.skep.tez.vertex;

import org.jspecify.annotations.NullMarked;
