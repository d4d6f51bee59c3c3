package io.skep.bench.rpc;

/**
 * The concurrent load on the connection.
 *
 * @param hosts number of connections of client processes
 * @param queries number of queries of each host
 * @param fragments number of fragments of each query
 */
record RpcLoad(int hosts, int queries, int fragments) {
    /** Parses {@code 100x32x50}. */
    static RpcLoad parse(String text) {
        String[] parts = text.split("x");
        if (parts.length != 3) {
            throw new IllegalArgumentException("a load is hosts x queries x fragments, such as 100x32x50, not " + text);
        }
        return new RpcLoad(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    int streams() {
        return hosts * queries * fragments;
    }

    @Override
    public String toString() {
        return hosts + "x" + queries + "x" + fragments;
    }
}
