package io.skep.authentication.jwt;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where a set of keys is read. Its size is limited, and the time as well. Redirections are not followed: they could
 * lead away from TLS. Certificates are verified by the JDK's trust store.
 */
final class KeySource {
    static final int MAX_BYTES = 1 << 20;
    private static final int BUFFER_BYTES = 16 << 10;

    private final URI url;
    private final Duration timeout;

    /** @param timeout for the connection, for each part of the answer, and for the whole answer */
    KeySource(URI url, Duration timeout) {
        this.url = url;
        this.timeout = timeout;
    }

    URI url() {
        return url;
    }

    boolean isFile() {
        return "file".equalsIgnoreCase(url.getScheme());
    }

    /** Whether the keys come from another machine without encryption. */
    boolean isPlain() {
        return "http".equalsIgnoreCase(url.getScheme())
                && !url.getRawAuthority().matches("(localhost|127\\.[0-9.]+|\\[::1\\])(:\\d+)?");
    }

    String read() throws IOException {
        if (isFile()) {
            try (InputStream content = Files.newInputStream(Path.of(url.getPath()))) {
                return text(content);
            }
        }
        if (!(url.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException("not a URL of HTTP");
        }
        int millis = Math.toIntExact(timeout.toMillis());
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "application/jwk-set+json, application/json");
        try {
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                throw new IOException("the answer has the status " + status);
            }
            try (InputStream content = connection.getInputStream()) {
                return text(content);
            }
        } finally {
            connection.disconnect();
        }
    }

    private String text(InputStream content) throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        int count = content.read(buffer);
        while (count >= 0) {
            all.write(buffer, 0, count);
            if (all.size() > MAX_BYTES) {
                throw new IOException("it has more than " + MAX_BYTES + " bytes");
            }
            if (System.nanoTime() > end) {
                throw new IOException("it did not arrive within " + timeout);
            }
            count = content.read(buffer);
        }
        return all.toString(StandardCharsets.UTF_8);
    }
}
