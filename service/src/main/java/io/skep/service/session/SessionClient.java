package io.skep.service.session;

/**
 * The client of a session.
 *
 * @param user the user whose rights the session has
 * @param login the user that has logged in, who may act as another one
 * @param byRow whether the client's protocol uses results by row, not by column
 */
public record SessionClient(String user, String login, String address, boolean byRow) {}
