package io.skep.bench.rpc;

/** The client side of a contender. */
interface RpcClient {
    /**
     * Runs queries in a closed loop until the time is over. Each query registers its plan, runs its fragments
     * concurrently, reads their rows, and ends. Failures are counted.
     *
     * @param port port of the server on this machine
     */
    void run(int port, RpcLoad load, long endNanos, RpcStats tally) throws InterruptedException;
}
