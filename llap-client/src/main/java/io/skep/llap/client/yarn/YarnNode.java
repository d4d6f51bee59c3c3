package io.skep.llap.client.yarn;

import java.util.List;

/**
 * A node that runs containers.
 *
 * @param name as YARN has it
 * @param pages host and port of its node manager's web pages; empty when it has none
 * @param megabytes for containers
 */
public record YarnNode(String name, String pages, long megabytes) {
    /** Memory for containers of all. */
    public static long megabytes(List<YarnNode> nodes) {
        return nodes.stream().mapToLong(YarnNode::megabytes).sum();
    }
}
