/** Hadoop's block codecs, which check the sizes that a block claims against the bytes that arrive. */
@NullMarked
package io.skep.storage.file.codec;

import org.jspecify.annotations.NullMarked;
