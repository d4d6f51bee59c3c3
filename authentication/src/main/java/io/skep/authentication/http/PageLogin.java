package io.skep.authentication.http;

import io.skep.authentication.AuthenticationException;
import io.skep.authentication.UserAuthentication;
import io.skep.authentication.VerifiedLogin;
import io.skep.common.error.SkepException;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of the web pages: that of the HTTP transport, and a cookie afterwards. The cookie is not sent with requests
 * of other sites' pages.
 */
public final class PageLogin extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(PageLogin.class);
    private static final String COOKIE = "skep.pages";
    private static final String VIEWERS = "the pages show what all users do: they are for members of the role admin";
    private static final Duration COOKIE_AGE = Duration.ofMinutes(10);

    private final HttpLogin login;
    private final LoginCookies cookies;
    private final Predicate<String> viewers;
    private final LoginLog log;

    private PageLogin(
            Handler pages,
            UserAuthentication authentication,
            InstantSource steady,
            Predicate<String> viewers,
            LoginLog log) {
        super(pages);
        this.viewers = viewers;
        this.log = log;
        this.login = new HttpLogin(authentication, Duration.ZERO, steady);
        this.cookies = new LoginCookies(COOKIE, steady);
    }

    /**
     * Returns what puts a login before pages. It leaves them as they are when the server does not authenticate its
     * clients.
     *
     * @param steady measures the age of cookies
     * @param viewers the users who may see the pages
     * @param log takes the logins
     */
    public static UnaryOperator<Handler> of(
            UserAuthentication authentication, InstantSource steady, Predicate<String> viewers, LoginLog log) {
        return pages ->
                authentication.config().verifies() ? new PageLogin(pages, authentication, steady, viewers, log) : pages;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String user;
        try {
            Optional<String> known = cookies.user(request.getHeaders());
            user = known.isPresent() ? known.get() : loggedIn(request, response);
        } catch (AuthenticationException e) {
            String address = Request.getRemoteAddr(request);
            LOG.info("a login to the pages from {} is refused: {}", address, e.getMessage());
            @Nullable String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
            if (header != null) {
                log.refused(address, HttpLogin.user(header), String.valueOf(e.getMessage()));
            }
            login.challenges().forEach(challenge -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, challenge));
            Response.writeError(request, response, callback, HttpStatus.UNAUTHORIZED_401);
            return true;
        } catch (SkepException e) {
            LOG.warn("a login to the pages is refused: {}", e.fullMessage());
            Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, e.getMessage());
            return true;
        }
        if (!viewers.test(user)) {
            log.refused(Request.getRemoteAddr(request), Optional.of(user), VIEWERS);
            Response.writeError(request, response, callback, HttpStatus.FORBIDDEN_403, VIEWERS);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private String loggedIn(Request request, Response response) throws AuthenticationException {
        String address = Request.getRemoteAddr(request);
        HttpLogin.Login client = login.of(request.getHeaders(), address);
        client.proof().ifPresent(proof -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, proof));
        VerifiedLogin user = client.verified().orElseThrow();
        if (viewers.test(user.user())) {
            log.loggedIn(address, user.user());
        }
        Duration age = user.atMost(COOKIE_AGE);
        response.getHeaders()
                .add(
                        HttpHeader.SET_COOKIE,
                        COOKIE + "=" + cookies.issue(user.user(), age) + "; Max-Age=" + age.toSeconds()
                                + "; Path=/; HttpOnly; SameSite=Strict");
        return user.user();
    }
}
