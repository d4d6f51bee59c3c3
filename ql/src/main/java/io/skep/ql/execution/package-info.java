/** A query's life: its states, the threads that compile and start it, its attempts, and what is done when one of them fails. */
@NullMarked
package io.skep.ql.execution;

import org.jspecify.annotations.NullMarked;
