package io.skep.service.session;

/**
 * Whose a session is.
 *
 * @param byRow whether the client's protocol has results by row, not by column
 */
public record SessionClient(String user, String address, boolean byRow) {}
