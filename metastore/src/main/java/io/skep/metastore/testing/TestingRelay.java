package io.skep.metastore.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A connection relay to a server of this machine that can be cut or silenced. When it is silent, connections stay open
 * and no data passes.
 */
public final class TestingRelay implements AutoCloseable {
    private static final int BACKLOG = 50;
    private static final int BUFFER = 8192;

    private final ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean isSilent;

    public TestingRelay(int target) throws IOException {
        Thread.ofVirtual().start(() -> accept(target));
    }

    public int port() {
        return listener.getLocalPort();
    }

    public void silent(boolean now) {
        isSilent = now;
    }

    private void accept(int target) {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                Thread.ofVirtual().start(() -> pump(client, server));
                Thread.ofVirtual().start(() -> pump(server, client));
            }
        } catch (IOException e) {
            cut();
        }
    }

    /** Data that arrives while the relay is silent is lost. A connection that has lost data transfers no more. */
    private void pump(Socket from, Socket to) {
        boolean isLost = false;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                isLost |= isSilent;
                if (!isLost) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException closed) {
            // One end has closed the connection, and the other end is notified unless the relay is silent.
            isLost |= isSilent;
        }
        if (!isLost) {
            close(to);
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
    public void close() {
        cut();
    }

    /** Cuts all connections. A second call does nothing. */
    public void cut() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(TestingRelay::close);
    }
}
