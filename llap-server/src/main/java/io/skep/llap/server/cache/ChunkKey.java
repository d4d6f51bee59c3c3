package io.skep.llap.server.cache;

import io.skep.storage.table.FileVersion;

/**
 * One column of one row group of one content of a file.
 *
 * @param schema fingerprint of the format and columns that the file is read with, for the same bytes read otherwise are other
 *     values
 * @param column ordinal of the file's columns
 */
public record ChunkKey(FileVersion file, long schema, int column, int rowGroup) {}
