package io.skep.bench.rpc;

/** The asking side of a contender. */
interface RpcClient {
    /**
     * Runs queries in a closed loop until the time is over: each registers its plan, runs its fragments at once, reads
     * their rows, and ends. What fails is counted.
     *
     * @param port of the server on this machine
     */
    void run(int port, RpcLoad load, long endNanos, RpcStats tally) throws InterruptedException;
}
