package io.skep.itests.yarn;

import io.skep.llap.server.yarn.DaemonAnnouncement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** A process that listens and announces itself. Containers run it in tests of the application master. */
public final class ListeningDaemon {
    private ListeningDaemon() {}

    /** @param arguments the arguments of a daemon, which include the folder in which to announce itself */
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
