package io.skep.llap.server.process;

import java.util.concurrent.CountDownLatch;

/**
 * The end of a process that is there for a daemon. When the process is told to end, by a signal, or the daemon is, over RPC, the
 * daemon drains, and the process ends with it.
 */
public final class DaemonEnd {
    private final CountDownLatch stopped = new CountDownLatch(1);

    private DaemonEnd() {}

    /** To be called once for a process. */
    public static DaemonEnd of(DaemonProcess daemon) {
        DaemonEnd end = new DaemonEnd();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            daemon.drain();
                            daemon.close();
                            end.stopped.countDown();
                        },
                        "stop"));
        var _ = daemon.askedToLeave()
                .thenRunAsync(
                        () -> System.exit(0),
                        exit -> Thread.ofPlatform().daemon().name("leave").start(exit));
        return end;
    }

    /** Returns when the daemon has ended. */
    public void await() throws InterruptedException {
        stopped.await();
    }
}
