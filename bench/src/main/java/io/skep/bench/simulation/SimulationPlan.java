package io.skep.bench.simulation;

import java.util.Random;

/**
 * The parameters of a simulation.
 *
 * @param executors number of executors of each daemon
 * @param servers HiveServer2 nodes, each with its own scheduler over the same daemons
 * @param clients number of clients that run one query after another
 * @param queries number of queries of all clients together
 * @param deaths daemons that die, at random times; each is restarted as a new incarnation
 * @param hangs daemons that are suspended for some time, shorter or longer than any client's timeout
 * @param slow daemons that are up to four times slower than the others
 */
public record SimulationPlan(
        long seed, int daemons, int executors, int servers, int clients, int queries, int deaths, int hangs, int slow) {
    /** Nanoseconds of silence after which a connection is considered lost. */
    static final long RPC_TIMEOUT = 5_000_000_000L;

    /** Nanoseconds of silence after which the registry releases a slot. */
    static final long REGISTRY_TIMEOUT = 10_000_000_000L;

    /** The cache size of a daemon in bytes, which is a third more than its part of all tables. */
    static final long CACHE_BYTES = 4L << 30;

    /** The number of queries of each client per fault from which faults are as rare as in practice. */
    private static final int QUERIES_A_FAULT = 150;

    /**
     * Draws a small cluster with possible faults from the seed. Every second cluster has enough clients for a fault to
     * affect most of its queries. The others have few clients, so faults are rare.
     */
    public static SimulationPlan random(long seed, int queries) {
        Random random = new Random(seed);
        int daemons = 1 + random.nextInt(40);
        int deaths = daemons < 4 ? 0 : random.nextInt(3);
        int hangs = random.nextInt(2);
        int most = seed % 2 == 0 ? 10 * daemons : Math.max(1, queries / QUERIES_A_FAULT / Math.max(1, deaths + hangs));
        return new SimulationPlan(
                seed,
                daemons,
                2 + random.nextInt(15),
                1 + random.nextInt(3),
                1 + random.nextInt(most),
                queries,
                deaths,
                hangs,
                random.nextInt(1 + daemons / 10));
    }

    /** Whether faults are so rare that they should kill almost no task. */
    public boolean isSteady() {
        return (long) QUERIES_A_FAULT * clients * (deaths + hangs) <= queries;
    }
}
