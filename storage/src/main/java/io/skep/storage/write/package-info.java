/** The interface for writing files. Callers decide the location of files and when they become visible. */
@NullMarked
package io.skep.storage.write;

import org.jspecify.annotations.NullMarked;
