/**
 * The scheduler, placement, task layout and registry of a server as they are, over daemons, wires and clocks that are
 * made up: one thread, a virtual clock, and a seed that repeats every run. What a daemon does with a task is a model
 * here; what is decided about it is not.
 */
@NullMarked
package io.skep.bench.simulation;

import org.jspecify.annotations.NullMarked;
