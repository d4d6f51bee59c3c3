package io.skep.bench.simulation;

import java.util.Random;

/**
 * What is simulated.
 *
 * @param executors of each daemon
 * @param servers HiveServer2 nodes, each with a scheduler of its own over the same daemons
 * @param clients that ask one query after the other
 * @param queries of all clients together
 * @param deaths daemons that die, at random moments; each is started again under a new incarnation
 * @param hangs daemons that stop for a while, shorter or longer than anyone waits for them
 * @param slow daemons that are up to four times slower than the others
 */
public record SimulationPlan(
        long seed, int daemons, int executors, int servers, int clients, int queries, int deaths, int hangs, int slow) {
    /** Nanoseconds of silence after which a connection is taken for lost. */
    static final long RPC_TIMEOUT = 5_000_000_000L;

    /** Nanoseconds of silence after which the registry gives a slot away. */
    static final long REGISTRY_TIMEOUT = 10_000_000_000L;

    /** Of a daemon, in bytes: a third more than its part of all tables. */
    static final long CACHE_BYTES = 4L << 30;

    /** Queries of each client for one fault, from which on faults are as rare as they are anywhere. */
    private static final int QUERIES_A_FAULT = 150;

    /**
     * A small cluster that something may happen to, drawn from the seed. Of every two, one has so many clients that a
     * fault meets most of its queries, and one so few that faults are rare.
     */
    public static SimulationPlan drawn(long seed, int queries) {
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

    /** Whether faults are so rare that hardly a task should be killed by them. */
    public boolean isSteady() {
        return (long) QUERIES_A_FAULT * clients * (deaths + hangs) <= queries;
    }
}
