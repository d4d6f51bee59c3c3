/** Files of a process on its own machine. Here is nothing of tables. */
@NullMarked
package io.skep.common.file;

import org.jspecify.annotations.NullMarked;
