package io.skep.service.http;

import io.skep.authentication.AuthenticationException;
import io.skep.authentication.VerifiedLogin;
import io.skep.authentication.http.HttpLogin;
import io.skep.authentication.http.LoginCookies;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditedClient;
import io.skep.service.authentication.ClientLogin;
import io.skep.service.authentication.DelegationTokens;
import io.skep.service.authentication.Transport;
import io.skep.service.wire.SingleCall;
import io.skep.service.wire.WireServices;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles each POST as a call. Requests of browsers are refused: every one of them has a header of its own, and pages
 * of other sites could make a browser on this machine or network send calls.
 */
final class CallHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(CallHandler.class);
    private static final List<String> THRIFT = List.of("application/x-thrift", "application/vnd.apache.thrift.binary");
    private static final List<String> OF_BROWSERS = List.of("Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode");

    /** The header in which Hive's driver sends a delegation token. */
    private static final String TOKEN = "X-Hive-Delegation-Token";

    /** The number of bytes of a refused request's body that are read so that its client reads the answer. */
    private static final long MAX_REFUSED_BYTES = 64 << 10;

    private final WireServices services;
    private final HttpConfig config;
    private final HttpConnections connections;
    private final LoginCookies cookies;
    private final HttpLogin login;

    /** Why a request is refused. */
    private record Refusal(int status, String why) {}

    /** @param steady measures the age of logins */
    CallHandler(
            WireServices services,
            HttpConfig config,
            HttpConnections connections,
            LoginCookies cookies,
            InstantSource steady) {
        this.services = services;
        this.config = config;
        this.connections = connections;
        this.cookies = cookies;
        this.login = new HttpLogin(services.authentication().users(), config.loginMemory(), steady);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Optional<Refusal> refusal = refusal(request);
        if (refusal.isPresent()) {
            refuse(request, response, callback, refusal.get());
            return true;
        }
        try {
            Optional<String> known = config.cookies() ? cookies.user(request.getHeaders()) : Optional.empty();
            ClientLogin client = known.isPresent() ? client(request, known, false) : loggedIn(request, response);
            serve(request, response, callback, client);
        } catch (AuthenticationException e) {
            String address = Request.getRemoteAddr(request);
            LOG.info("a login from {} is refused: {}", address, e.getMessage());
            @Nullable String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
            if (header != null || request.getHeaders().contains(TOKEN)) {
                AuditedClient client = AuditedClient.unknown(Transport.HTTP, address, HttpLogin.user(header));
                services.audit().recordRefusal(AuditEvent.refusedLogin(client, String.valueOf(e.getMessage())));
            }
            login.challenges().forEach(challenge -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, challenge));
            refuse(request, response, callback, new Refusal(HttpStatus.UNAUTHORIZED_401, login.refusal()));
        }
        return true;
    }

    /** Returns why a request is not a call. Its client does not matter here. */
    private Optional<Refusal> refusal(Request request) {
        HttpFields headers = request.getHeaders();
        if (!config.isOwn(Request.getPathInContext(request))) {
            return refusal(HttpStatus.NOT_FOUND_404, "calls go to " + config.path());
        }
        if (!HttpMethod.POST.is(request.getMethod())) {
            return refusal(HttpStatus.METHOD_NOT_ALLOWED_405, "calls are sent by POST");
        }
        if (OF_BROWSERS.stream().anyMatch(headers::contains)) {
            return refusal(HttpStatus.FORBIDDEN_403, "calls of browsers are not accepted");
        }
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        if (type == null || !THRIFT.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))) {
            return refusal(HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, "a call has the type " + THRIFT.getFirst());
        }
        if (headers.contains(HttpHeader.CONTENT_ENCODING)) {
            return refusal(HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, "calls are not compressed");
        }
        if ((config.xsrfFilter() && !headers.contains("X-XSRF-HEADER"))
                || (config.csrfFilter() && !headers.contains("X-CSRF-TOKEN"))) {
            return refusal(
                    HttpStatus.FORBIDDEN_403,
                    "the header that " + HttpConfig.XSRF.name() + " or " + HttpConfig.CSRF.name()
                            + " requires is missing");
        }
        if (headers.getLongField(HttpHeader.CONTENT_LENGTH) > services.config().maxMessageBytes()) {
            return refusal(
                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                    "a call has at most " + services.config().maxMessageBytes() + " bytes");
        }
        return Optional.empty();
    }

    /** Returns the parameter {@code doAs} of the request's address, by which gateways name their user. */
    private static Optional<String> actAs(Request request) {
        return Request.extractQueryParameters(request).stream()
                .filter(parameter -> parameter.getName().equalsIgnoreCase("doAs"))
                .map(Fields.Field::getValue)
                .filter(name -> !name.isEmpty())
                .findFirst();
    }

    private static Optional<Refusal> refusal(int status, String why) {
        return Optional.of(new Refusal(status, why));
    }

    private static void refuse(Request request, Response response, Callback callback, Refusal refusal) {
        LOG.debug("a request is refused: {} {}", refusal.status(), refusal.why());
        response.setStatus(refusal.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        if (refusal.status() == HttpStatus.METHOD_NOT_ALLOWED_405) {
            response.getHeaders().put(HttpHeader.ALLOW, HttpMethod.POST.asString());
        }
        try {
            OutputStream answer = Response.asBufferedOutputStream(request, response);
            answer.write((refusal.why() + "\n").getBytes(StandardCharsets.UTF_8));
            answer.close();
            RequestRemainder.drop(request, Request.asInputStream(request), MAX_REFUSED_BYTES);
            callback.succeeded();
        } catch (IOException e) {
            callback.failed(e);
        }
    }

    private static ClientLogin client(Request request, Optional<String> user, boolean byToken) {
        return new ClientLogin(user, actAs(request), Request.getRemoteAddr(request), Transport.HTTP, byToken);
    }

    /** A delegation token has no cookie: it is shown with each request, and cookies stand for tickets. */
    private ClientLogin loggedIn(Request request, Response response) throws AuthenticationException {
        @Nullable String token = request.getHeaders().get(TOKEN);
        Optional<DelegationTokens> tokens = services.authentication().delegationTokens();
        if (token != null && tokens.isPresent()) {
            return client(request, Optional.of(tokens.get().verify(token)), true);
        }
        HttpLogin.Login client = login.of(request.getHeaders(), Request.getRemoteAddr(request));
        client.proof().ifPresent(proof -> response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, proof));
        client.verified().ifPresent(known -> {
            Duration age = known.atMost(config.cookieAge());
            if (config.cookies() && age.isPositive()) {
                response.getHeaders().add(HttpHeader.SET_COOKIE, cookie(known.user(), age));
            }
        });
        return client(request, client.verified().map(VerifiedLogin::user), false);
    }

    /** Without Expires: the HTTP client of Hive's driver drops cookies that have it in the form of RFC 6265. */
    private String cookie(String user, Duration age) {
        StringBuilder cookie = new StringBuilder(
                LoginCookies.OF_HIVE + "=" + cookies.issue(user, age) + "; Max-Age=" + age.toSeconds());
        config.cookieDomain().ifPresent(domain -> cookie.append("; Domain=").append(domain));
        config.cookiePath().ifPresent(path -> cookie.append("; Path=").append(path));
        if (services.tls().isPresent()) {
            cookie.append("; Secure");
        }
        if (config.httpOnlyCookies()) {
            cookie.append("; HttpOnly");
        }
        return cookie.toString();
    }

    private void serve(Request request, Response response, Callback callback, ClientLogin known) {
        HttpClientConnection connection =
                connections.of(request.getConnectionMetaData().getConnection());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, THRIFT.getFirst());
        OutputStream answer = Response.asBufferedOutputStream(request, response);
        InputStream body = Request.asInputStream(request);
        SingleCall call = new SingleCall(services, body, answer, known);
        connection.begin(call);
        try {
            call.serve();
            answer.close();
            RequestRemainder.drop(request, body, services.config().maxMessageBytes());
            callback.succeeded();
        } catch (IOException e) {
            LOG.debug("a call failed: {}", e.toString());
            if (response.isCommitted()) {
                callback.failed(e);
            } else {
                response.reset();
                refuse(
                        request,
                        response,
                        callback,
                        new Refusal(HttpStatus.BAD_REQUEST_400, "the request is not a whole call"));
            }
        } finally {
            connection.end();
        }
    }
}
