package io.skep.metastore;

/**
 * A folder that moves when a table or partition is renamed.
 *
 * @param from absolute, as stored in the catalog
 * @param to a location that does not exist yet
 */
public record FolderMove(String from, String to) {}
