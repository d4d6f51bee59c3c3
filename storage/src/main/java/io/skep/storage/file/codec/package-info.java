/** Hadoop's codecs of blocks, with what a block claims compared with the bytes that come. */
@NullMarked
package io.skep.storage.file.codec;

import org.jspecify.annotations.NullMarked;
