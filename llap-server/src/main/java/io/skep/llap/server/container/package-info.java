/** The daemon inside a task's container of Tez: no port, no registry, small caches. Loads neither ql nor metastore. */
@NullMarked
package io.skep.llap.server.container;

import org.jspecify.annotations.NullMarked;
