/**
 * Files that contain records of a SerDe: SequenceFile and RCFile, which are read here, and Avro, which is read by its
 * library. Lengths that a file claims are checked against its remaining bytes before memory is allocated. Decompressed
 * sizes are checked against a limit.
 */
@NullMarked
package io.skep.storage.serde.container;

import org.jspecify.annotations.NullMarked;
