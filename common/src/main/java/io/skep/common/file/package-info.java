/** Files of a process on its own machine. Tables are elsewhere. */
@NullMarked
package io.skep.common.file;

import org.jspecify.annotations.NullMarked;
