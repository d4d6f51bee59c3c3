package io.skep.bench.hashtable;

/**
 * The rows of one case. Keys are widely spaced 61-bit numbers or, on request, small numbers without gaps. Values are
 * row numbers. All contenders can compute them, including those that use SQL, so all work on the same rows.
 *
 * @param rows number of rows of the build side, or rows that form the groups
 * @param unique number of distinct keys among them
 * @param probes number of rows that are looked up afterwards; each finds its key
 * @param small whether keys are the numbers below {@code unique}
 */
record Keys(int rows, int unique, int probes, boolean small) {
    private static final long SCATTER = 1_566_083_941L;
    private static final long PRIME = 2_147_483_647L;
    private static final long SPREAD = 1_073_741_827L;
    private static final long PROBE_STEP = 668_265_263L;

    static Keys of(int rows, int duplicatePercent, int probes) {
        return new Keys(rows, Math.max(1, (int) ((long) rows * (100 - duplicatePercent) / 100)), probes, false);
    }

    Keys close() {
        return new Keys(rows, unique, probes, true);
    }

    /** Returns distinct key {@code number}. */
    long key(long number) {
        return small ? number : number * SCATTER % PRIME * SPREAD;
    }

    long build(int row) {
        return key(row % unique);
    }

    long probe(int row) {
        return key(row * PROBE_STEP % unique);
    }

    long[] buildKeys() {
        long[] keys = new long[rows];
        for (int i = 0; i < rows; i++) {
            keys[i] = build(i);
        }
        return keys;
    }

    long[] probeKeys() {
        long[] keys = new long[probes];
        for (int i = 0; i < probes; i++) {
            keys[i] = probe(i);
        }
        return keys;
    }

    String buildSql() {
        return sql("(i % " + unique + ")", rows);
    }

    String probeSql() {
        return sql("(i * " + PROBE_STEP + " % " + unique + ")", probes);
    }

    private String sql(String number, int count) {
        String key = small ? number : number + " * " + SCATTER + " % " + PRIME + " * " + SPREAD;
        return "select " + key + " as k, i as v from range(" + count + ") t(i)";
    }
}
