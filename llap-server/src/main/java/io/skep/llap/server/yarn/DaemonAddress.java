package io.skep.llap.server.yarn;

/**
 * Where a daemon is found, as it says itself when it takes tasks.
 *
 * @param uiPort of its pages, 0 without them
 * @param pid of its process
 */
record DaemonAddress(String host, int port, int uiPort, long pid) {}
