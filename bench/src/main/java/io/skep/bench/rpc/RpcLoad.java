package io.skep.bench.rpc;

/**
 * What comes over the wire at once.
 *
 * @param hosts connections of processes that ask
 * @param queries of each host
 * @param fragments of each query
 */
record RpcLoad(int hosts, int queries, int fragments) {
    /** Reads {@code 100x32x50}. */
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
