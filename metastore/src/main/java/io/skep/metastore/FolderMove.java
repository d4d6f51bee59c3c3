package io.skep.metastore;

/**
 * A folder that goes along when a table or partition gets another name.
 *
 * @param from absolute, as the catalog has it
 * @param to where nothing is yet
 */
public record FolderMove(String from, String to) {}
