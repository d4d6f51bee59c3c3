/** A server that serves sessions and statements for long: what it holds does not grow. */
@NullMarked
package io.skep.itests.soak;

import org.jspecify.annotations.NullMarked;
