/** Tests of the readers of SequenceFile, RCFile and Avro. */
@NullMarked
package io.skep.storage.serde.container;

import org.jspecify.annotations.NullMarked;
