package io.skep.llap.server.rpc;

import io.skep.llap.client.DaemonEndpoint;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in front of a daemon. It can hold back everything that a connection sends after its control call, hold back
 * all traffic, and cut connections.
 */
final class PeerProxy implements AutoCloseable {
    private static final int PREFACE_BYTES = 24;
    private static final int HEAD_BYTES = 9;
    private static final int PIECE_BYTES = 16 << 10;

    /** The HTTP/2 stream number, as the client counts: 3 is the greeting, 5 the control call. */
    private static final int FIRST_PAGE_STREAM = 7;

    private final ServerSocket listening;
    private final DaemonEndpoint daemon;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger keptBack = new AtomicInteger();
    private volatile CompletableFuture<@Nullable Void> pages = CompletableFuture.completedFuture(null);
    private volatile CompletableFuture<@Nullable Void> all = CompletableFuture.completedFuture(null);

    PeerProxy(DaemonEndpoint daemon) {
        this.daemon = daemon;
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    DaemonEndpoint endpoint() {
        return new DaemonEndpoint("127.0.0.1", listening.getLocalPort());
    }

    /** Holds back all page calls that clients make from now on, and everything that they send afterwards. */
    void keepPagesBack() {
        pages = new CompletableFuture<>();
    }

    /** The number of connections with held-back data. The daemon has accepted their clients' proofs. */
    int keptBack() {
        return keptBack.get();
    }

    /** Holds back all traffic from now on. */
    void stop() {
        all = new CompletableFuture<>();
    }

    /** Lets all traffic pass. */
    void pass() {
        pages.complete(null);
        all.complete(null);
    }

    /** Closes the existing connections. */
    void cut() {
        List.copyOf(open).forEach(PeerProxy::close);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(daemon.host(), daemon.port());
                open.addAll(List.of(client, server));
                Thread.ofVirtual().start(() -> carry(client, server, this::carryFrames));
                Thread.ofVirtual().start(() -> carry(server, client, this::carryBytes));
            } catch (IOException e) {
                // The proxy is closed, or the daemon is gone.
            }
        }
    }

    private interface Way {
        void carry(InputStream from, OutputStream to) throws IOException;
    }

    private void carry(Socket from, Socket to, Way way) {
        try {
            way.carry(from.getInputStream(), to.getOutputStream());
        } catch (IOException e) {
            // One side has closed the connection.
        }
        List.of(from, to).forEach(socket -> {
            close(socket);
            open.remove(socket);
        });
    }

    private void carryFrames(InputStream from, OutputStream to) throws IOException {
        DataInputStream in = new DataInputStream(from);
        DataOutputStream out = new DataOutputStream(to);
        out.write(in.readNBytes(PREFACE_BYTES));
        boolean late = false;
        while (true) {
            byte[] head = new byte[HEAD_BYTES];
            in.readFully(head);
            int length = (head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | head[2] & 0xFF;
            int stream = (head[5] & 0x7F) << 24 | (head[6] & 0xFF) << 16 | (head[7] & 0xFF) << 8 | head[8] & 0xFF;
            byte[] content = in.readNBytes(length);
            if (stream >= FIRST_PAGE_STREAM && !late) {
                late = true;
                keptBack.incrementAndGet();
                pages.join();
            }
            all.join();
            out.write(head);
            out.write(content);
        }
    }

    private void carryBytes(InputStream from, OutputStream to) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        for (int read = from.read(piece); read >= 0; read = from.read(piece)) {
            all.join();
            to.write(piece, 0, read);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
        pass();
    }
}
