/** ORC files: reading at row-index strides, skipping by indexes and Bloom filters, writing. */
@NullMarked
package io.skep.storage.orc;

import org.jspecify.annotations.NullMarked;
