/** A query's life: its states, the threads that compile it, and what is done when a run of it fails. */
@NullMarked
package io.skep.ql.execution;

import org.jspecify.annotations.NullMarked;
