package io.skep.service.server;

import io.skep.llap.client.DaemonConnection;
import io.skep.llap.server.LlapDaemon;
import io.skep.webui.ServerView.FigureView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The daemons that a server gives its queries to: the one in its own process, or those of the site. Thread-safe. */
interface ServerDaemons extends AutoCloseable {
    /**
     * Those that can be given work; waits a little when there is none.
     *
     * @throws io.skep.common.error.SkepException QUEUE_FULL with the reasons when none comes
     */
    List<DaemonConnection> live();

    /** The one in this process, if it is there that queries run. */
    Optional<LlapDaemon> own();

    /** Tasks that Tez keeps waiting for daemons at once. */
    int parallelTasks();

    /** For the pages. */
    List<FigureView> figures();

    /** Sizes and other values that were derived, for the pages. */
    Map<String, String> values();

    @Override
    void close();
}
