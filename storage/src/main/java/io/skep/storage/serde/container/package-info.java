/**
 * Files that hold records of a SerDe: SequenceFile and RCFile, read here, and Avro, read by its library. What a file
 * claims about lengths is compared with what is left of it, and what it unpacks to with a limit, before memory is
 * taken.
 */
@NullMarked
package io.skep.storage.serde.container;

import org.jspecify.annotations.NullMarked;
