package io.skep.llap.client;

import java.util.List;

/**
 * The addresses of a site's daemons: a fixed list, or the entries of a registry. Thread-safe. Callers poll it often, so
 * it does not wait.
 */
@FunctionalInterface
public interface DaemonEndpoints {
    /**
     * Returns the daemons that may be assigned new work. A daemon that drops out of the list keeps the work that it
     * has.
     */
    List<DaemonEndpoint> current();
}
