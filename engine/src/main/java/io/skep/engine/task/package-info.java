/**
 * A fragment's part that runs in one process: {@link io.skep.engine.task.Task} puts pipelines of operators together from the
 * plan, drivers run them. Who owns threads, connections and files is outside and speaks through {@link
 * io.skep.engine.task.TaskEnvironment}.
 */
@NullMarked
package io.skep.engine.task;

import org.jspecify.annotations.NullMarked;
