package io.skep.service.server;

import io.skep.llap.client.DaemonConnection;
import io.skep.llap.server.LlapDaemon;
import io.skep.webui.ServerView.FigureView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The daemons that run a server's queries: the one in its own process, or those of the site. Thread-safe. */
interface ServerDaemons extends AutoCloseable {
    /**
     * Returns the daemons that accept work. Waits briefly when there is none.
     *
     * @throws io.skep.common.error.SkepException QUEUE_FULL with the reasons when no daemon appears
     */
    List<DaemonConnection> live();

    /** Returns the daemon in this process, if queries run in it. */
    Optional<LlapDaemon> own();

    /** Returns the number of tasks that Tez keeps waiting for daemons at the same time. */
    int parallelTasks();

    /** Returns metrics for the web pages. */
    List<FigureView> stats();

    /** Returns sizes and other derived values for the web pages. */
    Map<String, String> values();

    @Override
    void close();
}
