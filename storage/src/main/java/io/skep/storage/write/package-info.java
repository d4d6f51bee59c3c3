/** The border through which files are written. Where files go and when they become visible is decided above. */
@NullMarked
package io.skep.storage.write;

import org.jspecify.annotations.NullMarked;
