package io.skep.llap.client.yarn;

import java.util.List;

/**
 * A node that runs containers.
 *
 * @param name YARN's name for it
 * @param pages host and port of its node manager's web pages; empty when it has none
 * @param megabytes memory for containers
 */
public record YarnNode(String name, String pages, long megabytes) {
    /** Returns the memory for containers of all nodes. */
    public static long megabytes(List<YarnNode> nodes) {
        return nodes.stream().mapToLong(YarnNode::megabytes).sum();
    }
}
