/** A daemon as a process of its own: options, folder, wiring, pages. Loads neither ql nor metastore. */
@NullMarked
package io.skep.llap.server.process;

import org.jspecify.annotations.NullMarked;
