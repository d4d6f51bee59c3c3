/** Contenders in separate JVMs, and the operating system's statistics of them. */
@NullMarked
package io.skep.bench.process;

import org.jspecify.annotations.NullMarked;
