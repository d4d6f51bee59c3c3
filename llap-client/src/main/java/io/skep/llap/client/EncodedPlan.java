package io.skep.llap.client;

import java.util.List;

/**
 * A stage graph on its way to a daemon.
 *
 * @param name the name by which tasks refer to it; a sender that uses one name for two plans uses it for equal plans
 * @param files paths or URIs of the files that it needs, such as jars of functions, as the sender finds them
 */
public record EncodedPlan(String name, LazyEncoded graph, List<String> files) {
    public EncodedPlan {
        files = List.copyOf(files);
    }

    /** Creates a plan that needs no files. */
    public EncodedPlan(String name, LazyEncoded graph) {
        this(name, graph, List.of());
    }
}
