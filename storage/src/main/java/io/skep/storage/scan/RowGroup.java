package io.skep.storage.scan;

/**
 * A row group's place.
 *
 * @param index its number in the file
 * @param offset byte offset in the file that decides which split it belongs to
 * @param rowCount rows, or -1 when only reading tells (text)
 */
public record RowGroup(int index, long offset, long rowCount) {}
