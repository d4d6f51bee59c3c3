/** ORC files: reading by row-index strides, pruning by indexes and Bloom filters, and writing. */
@NullMarked
package io.skep.storage.orc;

import org.jspecify.annotations.NullMarked;
