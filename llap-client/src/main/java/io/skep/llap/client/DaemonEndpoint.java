package io.skep.llap.client;

/** The address where a daemon listens. */
public record DaemonEndpoint(String host, int port) {
    private static final int MOST = 65535;

    public DaemonEndpoint {
        if (host.isBlank() || port < 1 || port > MOST) {
            throw new IllegalArgumentException("'" + host + ":" + port + "' is not host:port");
        }
    }

    /**
     * Parses {@code host:port}. An IPv6 address is written in brackets.
     *
     * @throws IllegalArgumentException when the text has another form
     */
    public static DaemonEndpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("'" + text + "' is not host:port");
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        try {
            return new DaemonEndpoint(
                    bracketed ? host.substring(1, host.length() - 1) : host,
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not host:port", e);
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
