package io.skep.itests.yarn;

import io.skep.llap.server.yarn.DaemonAnnouncement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** A process that listens and says so: what a container runs in tests of the application master. */
public final class ListeningDaemon {
    private ListeningDaemon() {}

    /** @param arguments those of a daemon; a folder to announce itself in among them */
    public static void main(String[] arguments) throws IOException {
        List<String> options = List.of(arguments);
        String folder = options.get(options.indexOf("--announce") + 1);
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            DaemonAnnouncement.in(System.getenv(), folder)
                    .orElseThrow()
                    .ready(socket.getInetAddress().getHostAddress(), socket.getLocalPort(), 0);
            while (true) {
                socket.accept().close();
            }
        }
    }
}
