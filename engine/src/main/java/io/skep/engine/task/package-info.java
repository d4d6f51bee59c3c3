/**
 * The part of a fragment that runs in one process. {@link io.skep.engine.task.Task} builds pipelines of operators from
 * the plan, and drivers run them. The owner of threads, connections and files is outside of this package and
 * communicates through {@link io.skep.engine.task.TaskEnvironment}.
 */
@NullMarked
package io.skep.engine.task;

import org.jspecify.annotations.NullMarked;
