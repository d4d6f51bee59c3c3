package io.skep.service.session;

import io.skep.service.authentication.Transport;

/**
 * The client of a session.
 *
 * @param user the user whose rights the session has
 * @param login the user that has logged in, who may act as another one
 * @param transport how the client has opened the session
 * @param byRow whether the client's protocol uses results by row, not by column
 */
public record SessionClient(String user, String login, String address, Transport transport, boolean byRow) {}
