/** The border through which rows are read: a scan's request, predicates that readers may use to skip, page sources. */
@NullMarked
package io.skep.storage.scan;

import org.jspecify.annotations.NullMarked;
