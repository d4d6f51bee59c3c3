/**
 * The life of a query: its states, the threads that compile and start it, its attempts, and the handling of their
 * failures.
 */
@NullMarked
package io.skep.ql.execution;

import org.jspecify.annotations.NullMarked;
