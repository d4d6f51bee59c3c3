package io.skep.webui;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;

/**
 * How users reach the pages.
 *
 * @param tls performs the handshake of TLS; absent for plain HTTP
 * @param login puts the login of users before the pages
 */
public record PageAccess(Optional<ConnectionFactory> tls, UnaryOperator<Handler> login) {
    /** Plain HTTP, without a login. */
    public static final PageAccess OPEN = new PageAccess(Optional.empty(), UnaryOperator.identity());
}
