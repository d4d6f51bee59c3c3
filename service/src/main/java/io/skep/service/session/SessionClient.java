package io.skep.service.session;

/**
 * The client of a session.
 *
 * @param byRow whether the client's protocol uses results by row, not by column
 */
public record SessionClient(String user, String address, boolean byRow) {}
