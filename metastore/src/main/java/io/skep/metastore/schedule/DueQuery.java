package io.skep.metastore.schedule;

/**
 * An execution of a scheduled query that a server has taken.
 *
 * @param execution the id of the execution
 * @param name the name of the scheduled query
 * @param user the user whose rights the statement has
 * @param statement the text of the statement
 */
public record DueQuery(long execution, String name, String user, String statement) {}
