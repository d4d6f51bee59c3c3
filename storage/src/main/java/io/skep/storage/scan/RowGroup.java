package io.skep.storage.scan;

/**
 * The position and size of a row group.
 *
 * @param index its number in the file
 * @param offset byte offset in the file, which determines the split that it belongs to
 * @param rowCount rows, or -1 when only reading reveals it (text)
 */
public record RowGroup(int index, long offset, long rowCount) {}
