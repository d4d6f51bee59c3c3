package io.skep.service.http;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings for the HTTP transport.
 *
 * @param port 0 for any free one
 * @param path the path of requests, which begins with a slash and does not end with one
 * @param maxIdle time after which a connection of a known client is closed when nothing is sent or received
 * @param requestHeaderBytes maximum size of a request's line and headers
 * @param responseHeaderBytes maximum size of an answer's headers
 * @param cookies whether clients log in once and present a cookie from then on
 * @param cookieAge time for which a cookie is valid
 * @param cookieDomain domain to which clients send the cookie; absent: this host
 * @param cookiePath path to which clients send the cookie; absent: that of the request
 * @param httpOnlyCookies whether scripts of a page cannot read the cookie
 * @param loginMemory time for which a right password is not verified again
 * @param xsrfFilter whether requests need the header X-XSRF-HEADER
 * @param csrfFilter whether requests need the header X-CSRF-TOKEN
 */
public record HttpConfig(
        int port,
        String path,
        Duration maxIdle,
        int requestHeaderBytes,
        int responseHeaderBytes,
        boolean cookies,
        Duration cookieAge,
        Optional<String> cookieDomain,
        Optional<String> cookiePath,
        boolean httpOnlyCookies,
        Duration loginMemory,
        boolean xsrfFilter,
        boolean csrfFilter) {
    private static final int MAX_PORTS = 65535;
    private static final Duration MAX_TIME = Duration.ofDays(10_000);
    private static final int LEAST_HEADER_BYTES = 1 << 10;
    private static final int MAX_HEADER_BYTES = 32 << 10;

    public static final Property<Integer> PORT = new Property<>(
            "hive.server2.thrift.http.port",
            PropertyType.integer(0, MAX_PORTS),
            "10001",
            "Port of the HTTP transport; 0 takes any free one.");
    public static final Property<String> PATH = new Property<>(
            "hive.server2.thrift.http.path",
            new PropertyType<>("a path of letters, digits and . _ ~ / -", HttpConfig::path),
            "cliservice",
            "Path of requests of the HTTP transport.");
    static final Property<Duration> MAX_IDLE = new Property<>(
            "hive.server2.thrift.http.max.idle.time",
            time(Duration.ofMillis(1)),
            "1800s",
            "Idle timeout of connections of the HTTP transport; 0: never. Sessions do not end with it.");
    static final Property<Integer> REQUEST_HEADER = new Property<>(
            "hive.server2.thrift.http.request.header.size",
            PropertyType.integer(LEAST_HEADER_BYTES, MAX_HEADER_BYTES),
            "6144",
            "Maximum bytes of a request's line and headers.");
    static final Property<Integer> RESPONSE_HEADER = new Property<>(
            "hive.server2.thrift.http.response.header.size",
            PropertyType.integer(LEAST_HEADER_BYTES, MAX_HEADER_BYTES),
            "6144",
            "Maximum bytes of an answer's headers.");
    static final Property<Boolean> COOKIES = new Property<>(
            "hive.server2.thrift.http.cookie.auth.enabled",
            PropertyType.flag(),
            "true",
            "Whether clients log in once and present a cookie from then on.");
    static final Property<Duration> COOKIE_AGE = new Property<>(
            "hive.server2.thrift.http.cookie.max.age",
            time(Duration.ofSeconds(1)),
            "86400s",
            "Time for which such a cookie is valid; a restart of the server ends it too.");
    static final Property<Optional<String>> COOKIE_DOMAIN = new Property<>(
            "hive.server2.thrift.http.cookie.domain",
            attribute(),
            "",
            "Domain to which clients send the cookie; empty: this host.");
    static final Property<Optional<String>> COOKIE_PATH = new Property<>(
            "hive.server2.thrift.http.cookie.path",
            attribute(),
            "",
            "Path to which clients send the cookie; empty: that of the request.");
    static final Property<Boolean> HTTP_ONLY = new Property<>(
            "hive.server2.thrift.http.cookie.is.httponly",
            PropertyType.flag(),
            "true",
            "Whether scripts of a page cannot read the cookie.");
    static final Property<Duration> LOGIN_MEMORY = new Property<>(
            "skep.thrift.http.login-memory",
            time(Duration.ofMillis(1)),
            "60s",
            "Time for which a right password is not verified again, for clients without cookies; 0: it is verified "
                    + "with each call.");
    static final Property<Boolean> XSRF = new Property<>(
            "hive.server2.xsrf.filter.enabled",
            PropertyType.flag(),
            "false",
            "Whether requests without the header X-XSRF-HEADER are refused.");
    static final Property<Boolean> CSRF = new Property<>(
            "hive.server2.csrf.filter.enabled",
            PropertyType.flag(),
            "false",
            "Whether requests without the header X-CSRF-TOKEN are refused.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            PORT,
            PATH,
            MAX_IDLE,
            REQUEST_HEADER,
            RESPONSE_HEADER,
            COOKIES,
            COOKIE_AGE,
            COOKIE_DOMAIN,
            COOKIE_PATH,
            HTTP_ONLY,
            LOGIN_MEMORY,
            XSRF,
            CSRF);

    public static HttpConfig of(SettingsReader reader) {
        return new HttpConfig(
                reader.read(PORT),
                reader.read(PATH),
                reader.read(MAX_IDLE),
                reader.read(REQUEST_HEADER),
                reader.read(RESPONSE_HEADER),
                reader.read(COOKIES),
                reader.read(COOKIE_AGE),
                reader.read(COOKIE_DOMAIN),
                reader.read(COOKIE_PATH),
                reader.read(HTTP_ONLY),
                reader.read(LOGIN_MEMORY),
                reader.read(XSRF),
                reader.read(CSRF));
    }

    /** Hive accepts the path with and without slashes around it, and with the pattern of a servlet at its end. */
    private static String path(String text) {
        String inner = text.replaceFirst("\\*$", "").replaceFirst("/$", "").replaceFirst("^/", "");
        if (!inner.matches("[A-Za-z0-9._~/-]*")) {
            throw new IllegalArgumentException();
        }
        return "/" + inner;
    }

    private static PropertyType<Duration> time(Duration bare) {
        PropertyType<Duration> time = PropertyType.time(bare);
        return new PropertyType<>(time.description() + " of at most " + MAX_TIME.toDays() + "d", text -> {
            Duration value = time.parse(text);
            if (value.compareTo(MAX_TIME) > 0) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    private static PropertyType<Optional<String>> attribute() {
        return new PropertyType<>("text without spaces, commas and semicolons", text -> {
            if (!text.matches("[!-~&&[^;,\"\\\\]]*")) {
                throw new IllegalArgumentException();
            }
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        });
    }

    /** Returns the path as clients write it in their URLs. */
    public String clientPath() {
        return path.substring(1);
    }

    /** Whether this is the path of a request. */
    boolean isOwn(String requested) {
        return requested.equals(path) || requested.equals(path + "/");
    }
}
