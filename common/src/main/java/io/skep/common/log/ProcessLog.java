package io.skep.common.log;

import org.slf4j.bridge.SLF4JBridgeHandler;

/** The log of a process: one destination for what Skep, its libraries and the JDK log, without passwords. */
public final class ProcessLog {
    private ProcessLog() {}

    /**
     * Redacts the passwords of URLs, and sends what is logged through java.util.logging, which is also where
     * {@link System.Logger} ends, to the process's log. Called once, at the process's start.
     */
    public static void start() {
        SecretsInLogs.hide();
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
