package io.skep.metastore.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wire to a server of this machine that can go silent: connections stay, and nothing passes. */
final class SilentRelay implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    SilentRelay(int target) throws IOException {
        Thread.ofVirtual().start(() -> accept(target));
    }

    int port() {
        return listener.getLocalPort();
    }

    void silent(boolean now) {
        silent = now;
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
        } catch (IOException closed) {
            close();
        }
    }

    /** What comes while the wire is silent is lost, as is a connection of which something was lost. */
    private void pump(Socket from, Socket to) {
        boolean lost = false;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                lost |= silent;
                if (!lost) {
                    out.write(buffer, 0, read);
                }
            }
            if (!lost) {
                to.close();
            }
        } catch (IOException closed) {
            // One of both ends has closed it.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
