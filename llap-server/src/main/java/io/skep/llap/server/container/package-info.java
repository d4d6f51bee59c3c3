/**
 * The daemon inside the container of a Tez task: no port, no registry, small caches. Loads neither ql nor metastore.
 */
@NullMarked
package io.skep.llap.server.container;

import org.jspecify.annotations.NullMarked;
