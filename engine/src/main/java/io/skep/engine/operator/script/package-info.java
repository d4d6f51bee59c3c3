/**
 * Scripts of SELECT TRANSFORM: a process for each task, its folder, and the threads of its pipes. What a line of text
 * means is the matter of {@code io.skep.storage.serde}.
 */
@NullMarked
package io.skep.engine.operator.script;

import org.jspecify.annotations.NullMarked;
