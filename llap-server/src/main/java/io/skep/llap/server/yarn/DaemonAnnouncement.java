package io.skep.llap.server.yarn;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Announces to the application master that the daemon of this container accepts tasks. */
public final class DaemonAnnouncement {
    private final ApplicationFolder folder;
    private final String container;

    private DaemonAnnouncement(ApplicationFolder folder, String container) {
        this.folder = folder;
        this.container = container;
    }

    /**
     * Creates the announcement for a process that the application master has started. Empty for other processes.
     *
     * @param environment environment of the process
     * @param folder folder of the application
     */
    public static Optional<DaemonAnnouncement> in(Map<String, String> environment, String folder) {
        return Optional.ofNullable(environment.get(ApplicationConstants.Environment.CONTAINER_ID.key()))
                .map(container -> new DaemonAnnouncement(
                        new ApplicationFolder(new Path(folder), new YarnConfiguration()), container));
    }

    /**
     * Announces the daemon. Must be called when it accepts tasks.
     *
     * @param host host by which other nodes reach it
     * @param uiPort port of its web pages, 0 without them
     */
    public void ready(String host, int port, int uiPort) {
        folder.announce(
                container,
                new DaemonAddress(host, port, uiPort, ProcessHandle.current().pid()));
    }
}
