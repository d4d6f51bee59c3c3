/** The interface for reading rows: scan requests, predicates that readers may use to skip rows, and page sources. */
@NullMarked
package io.skep.storage.scan;

import org.jspecify.annotations.NullMarked;
