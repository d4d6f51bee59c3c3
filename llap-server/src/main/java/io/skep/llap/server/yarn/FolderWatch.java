package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The master's access to the application's folder. It reads the desired state, finds daemons that have started, and
 * writes the report. It runs on a separate thread, so that a slow file system does not delay the master's calls to
 * YARN.
 */
final class FolderWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);
    private static final int CONNECT_MILLIS = 2000;

    private final ApplicationFolder folder;
    private final Fleet fleet;
    private final InstantSource clock;
    private final String application;
    private final int attempt;
    private volatile DesiredState wanted;

    FolderWatch(
            ApplicationFolder folder,
            Fleet fleet,
            DesiredState first,
            String application,
            int attempt,
            InstantSource clock) {
        this.folder = folder;
        this.fleet = fleet;
        this.wanted = first;
        this.application = application;
        this.attempt = attempt;
        this.clock = clock;
    }

    /** The desired state at the last read of the folder. */
    DesiredState wanted() {
        return wanted;
    }

    /** Reads and writes the folder once. Operations that fail are retried the next time. */
    void poll() {
        try {
            folder.wanted().ifPresent(found -> wanted = found);
            announcements();
            folder.report(fleet.report(application, attempt, clock.millis()));
        } catch (SkepException e) {
            LOG.warn("{}", e.fullMessage());
        }
    }

    private void announcements() {
        Set<String> announced = new HashSet<>(folder.announced());
        for (DaemonContainer container : fleet.containers()) {
            if (container.phase() == DaemonPhase.STARTING && announced.contains(container.id())) {
                folder.address(container.id())
                        .filter(FolderWatch::answers)
                        .ifPresent(address -> fleet.ready(container.id(), address, clock.millis()));
            }
        }
        fleet.takeEnded().stream().filter(announced::contains).forEach(folder::forget);
    }

    private static boolean answers(DaemonAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
