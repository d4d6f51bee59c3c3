package io.skep.llap.client;

import java.util.List;

/** Where the daemons of a site are: a fixed list, or what a registry knows. Thread-safe; asked often, so it does not wait. */
@FunctionalInterface
public interface DaemonEndpoints {
    /** The daemons that may be given work now. One that is no longer here keeps what it has been given. */
    List<DaemonEndpoint> current();
}
