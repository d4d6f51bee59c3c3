/**
 * The interface between servers and daemons. Plans and splits travel as bytes, or as objects within a process, and
 * result pages as batches. So this package needs the classes of neither side.
 */
@NullMarked
package io.skep.llap.client;

import org.jspecify.annotations.NullMarked;
