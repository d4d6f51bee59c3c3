/**
 * The real scheduler, placement, task layout and registry over simulated daemons, connections and clocks. It uses one
 * thread, a virtual clock, and a seed that makes every run repeatable. A daemon's work on a task is a model. The
 * decisions about it are real.
 */
@NullMarked
package io.skep.bench.simulation;

import org.jspecify.annotations.NullMarked;
