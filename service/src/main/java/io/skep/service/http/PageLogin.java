package io.skep.service.http;

import io.skep.service.authentication.AuthenticationException;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.VerifiedLogin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of the web pages: that of the HTTP transport, and a cookie afterwards. The cookie is not sent with requests
 * of other sites' pages.
 */
public final class PageLogin extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(PageLogin.class);
    private static final String COOKIE = "skep.pages";
    private static final Duration COOKIE_AGE = Duration.ofMinutes(10);

    private final HttpLogin login;
    private final LoginCookies cookies;

    private PageLogin(Handler pages, ClientAuthentication authentication, InstantSource steady) {
        super(pages);
        this.login = new HttpLogin(authentication, Duration.ZERO, steady);
        this.cookies = new LoginCookies(COOKIE, steady);
    }

    /**
     * Returns what puts a login before pages. It leaves them as they are when the server does not authenticate its
     * clients.
     *
     * @param steady measures the age of cookies
     */
    public static UnaryOperator<Handler> of(ClientAuthentication authentication, InstantSource steady) {
        return pages -> authentication.config().verifies() ? new PageLogin(pages, authentication, steady) : pages;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<String> known = cookies.user(request.getHeaders());
        if (known.isEmpty()) {
            try {
                HttpLogin.Login client = login.of(request.getHeaders());
                client.proof().ifPresent(proof -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, proof));
                VerifiedLogin user = client.verified().orElseThrow();
                Duration age = user.atMost(COOKIE_AGE);
                response.getHeaders()
                        .add(
                                HttpHeader.SET_COOKIE,
                                COOKIE + "=" + cookies.issue(user.user(), age) + "; Max-Age=" + age.toSeconds()
                                        + "; Path=/; HttpOnly; SameSite=Strict");
            } catch (AuthenticationException e) {
                LOG.info("a login to the pages from {} is refused: {}", Request.getRemoteAddr(request), e.getMessage());
                login.challenges()
                        .forEach(challenge -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, challenge));
                Response.writeError(request, response, callback, HttpStatus.UNAUTHORIZED_401);
                return true;
            }
        }
        return super.handle(request, response, callback);
    }
}
