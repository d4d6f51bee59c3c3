package io.skep.service.http;

import io.skep.service.authentication.AuthenticationException;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.VerifiedLogin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
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
    private final Predicate<String> viewers;

    private PageLogin(
            Handler pages, ClientAuthentication authentication, InstantSource steady, Predicate<String> viewers) {
        super(pages);
        this.viewers = viewers;
        this.login = new HttpLogin(authentication, Duration.ZERO, steady);
        this.cookies = new LoginCookies(COOKIE, steady);
    }

    /**
     * Returns what puts a login before pages. It leaves them as they are when the server does not authenticate its
     * clients.
     *
     * @param steady measures the age of cookies
     * @param viewers the users who may see the pages
     */
    public static UnaryOperator<Handler> of(
            ClientAuthentication authentication, InstantSource steady, Predicate<String> viewers) {
        return pages ->
                authentication.config().verifies() ? new PageLogin(pages, authentication, steady, viewers) : pages;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String user;
        try {
            Optional<String> known = cookies.user(request.getHeaders());
            user = known.isPresent() ? known.get() : loggedIn(request, response);
        } catch (AuthenticationException e) {
            LOG.info("a login to the pages from {} is refused: {}", Request.getRemoteAddr(request), e.getMessage());
            login.challenges().forEach(challenge -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, challenge));
            Response.writeError(request, response, callback, HttpStatus.UNAUTHORIZED_401);
            return true;
        }
        if (!viewers.test(user)) {
            Response.writeError(
                    request,
                    response,
                    callback,
                    HttpStatus.FORBIDDEN_403,
                    "the pages show the statements of all users: they are for members of the role admin");
            return true;
        }
        return super.handle(request, response, callback);
    }

    private String loggedIn(Request request, Response response) throws AuthenticationException {
        HttpLogin.Login client = login.of(request.getHeaders());
        client.proof().ifPresent(proof -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, proof));
        VerifiedLogin user = client.verified().orElseThrow();
        Duration age = user.atMost(COOKIE_AGE);
        response.getHeaders()
                .add(
                        HttpHeader.SET_COOKIE,
                        COOKIE + "=" + cookies.issue(user.user(), age) + "; Max-Age=" + age.toSeconds()
                                + "; Path=/; HttpOnly; SameSite=Strict");
        return user.user();
    }
}
