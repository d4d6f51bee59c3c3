package io.skep.llap.server.yarn;

/**
 * The address of a daemon, which the daemon announces when it accepts tasks.
 *
 * @param uiPort port of its web pages, 0 without them
 * @param pid its process id
 */
record DaemonAddress(String host, int port, int uiPort, long pid) {}
