/**
 * How pages enter and leave a task: the interfaces that a daemon or a test implements, and the choice of a row's
 * partition.
 */
@NullMarked
package io.skep.engine.exchange;

import org.jspecify.annotations.NullMarked;
