package io.skep.llap.client;

import java.util.List;

/**
 * A stage graph on its way to a daemon.
 *
 * @param name by which tasks refer to it; whoever gives a name to two plans gives it to equal ones
 * @param files paths or URIs of files that it needs, jars of functions, where whoever sends it finds them
 */
public record EncodedPlan(String name, LazyEncoded graph, List<String> files) {
    public EncodedPlan {
        files = List.copyOf(files);
    }

    /** A plan that needs no files. */
    public EncodedPlan(String name, LazyEncoded graph) {
        this(name, graph, List.of());
    }
}
