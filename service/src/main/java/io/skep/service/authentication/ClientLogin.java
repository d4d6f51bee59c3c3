package io.skep.service.authentication;

import java.util.Optional;

/**
 * What a server knows of a client when its calls begin.
 *
 * @param user the user that the client has logged in as; absent when clients do not log in
 * @param actAs the user as whom the client wants to act, not checked yet; absent when it did not say
 * @param address the client's address
 * @param transport the one that it uses
 * @param byToken whether it has logged in by a delegation token, which gives no further ones
 */
public record ClientLogin(
        Optional<String> user, Optional<String> actAs, String address, Transport transport, boolean byToken) {}
