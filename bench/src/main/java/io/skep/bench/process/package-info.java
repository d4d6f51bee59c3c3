/** Contenders in JVMs of their own, and what the operating system says of them. */
@NullMarked
package io.skep.bench.process;

import org.jspecify.annotations.NullMarked;
