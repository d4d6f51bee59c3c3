package io.skep.llap.client.yarn;

/**
 * A node that runs containers.
 *
 * @param name as YARN has it
 * @param pages host and port of its node manager's web pages; empty when it has none
 * @param megabytes for containers
 */
public record YarnNode(String name, String pages, long megabytes) {}
