package io.skep.metastore.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Timeouts for a metastore database that does not respond. A hung server, or a network that drops all packets, must not
 * block a statement forever. By default the drivers wait without limit. Limits in the site's URL are kept.
 */
public final class SilenceLimits {
    private static final List<String> POSTGRES =
            List.of("socketTimeout=60", "connectTimeout=10", "loginTimeout=20", "tcpKeepAlive=true");

    /** These values are in milliseconds. */
    private static final List<String> MYSQL =
            List.of("socketTimeout=60000", "connectTimeout=10000", "tcpKeepAlive=true");

    private SilenceLimits() {}

    /**
     * Returns the URL with the limits that it does not already contain. URLs of other databases are returned unchanged.
     */
    public static String in(String url) {
        if (SharedDatabase.isPostgres(url)) {
            return with(url, POSTGRES);
        }
        boolean mysql = url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:");
        return mysql ? with(url, MYSQL) : url;
    }

    private static String with(String url, List<String> limits) {
        String named = url.toLowerCase(Locale.ROOT);
        List<String> missing = new ArrayList<>(limits);
        missing.removeIf(limit -> {
            String name = limit.substring(0, limit.indexOf('=') + 1).toLowerCase(Locale.ROOT);
            return named.contains("?" + name) || named.contains("&" + name);
        });
        if (missing.isEmpty()) {
            return url;
        }
        String separator = url.indexOf('?') < 0 ? "?" : url.endsWith("?") || url.endsWith("&") ? "" : "&";
        return url + separator + String.join("&", missing);
    }
}
