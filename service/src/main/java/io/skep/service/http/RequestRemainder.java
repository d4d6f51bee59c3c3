package io.skep.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;

/**
 * The rest of a request's body after its answer was sent. A client that still writes it would find the connection
 * closed and never read the answer, so the rest is read and dropped, up to a number of bytes and until no more of it
 * comes for a short time. The watch of the connection limits the whole time.
 */
final class RequestRemainder {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int BUFFER_BYTES = 16 << 10;

    private RequestRemainder() {}

    /** @param body of the request, from which a part may have been read */
    static void drop(Request request, InputStream body, long maxBytes) {
        try {
            // Most bodies have ended. Only a longer one needs the buffer.
            if (isReadable(request, body) && body.read() >= 0) {
                drop(request, body, new byte[BUFFER_BYTES], maxBytes - 1);
            }
        } catch (IOException e) {
            // The client has closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void drop(Request request, InputStream body, byte[] buffer, long maxBytes)
            throws IOException, InterruptedException {
        long left = maxBytes;
        while (left > 0 && isReadable(request, body)) {
            int count = body.read(buffer);
            if (count < 0) {
                return;
            }
            left -= count;
        }
    }

    /** Whether a part of the body, or its end, has arrived or arrives in time. */
    private static boolean isReadable(Request request, InputStream body) throws IOException, InterruptedException {
        if (body.available() > 0) {
            return true;
        }
        CountDownLatch available = new CountDownLatch(1);
        request.demand(available::countDown);
        return available.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
