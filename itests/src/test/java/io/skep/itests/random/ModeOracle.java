package io.skep.itests.random;

import io.skep.itests.sql.ExecutionMode;

/** Checks that a query returns the same rows in another mode of execution. */
record ModeOracle(Engine skep, Engine otherwise, ExecutionMode mode) implements Oracle {
    @Override
    public Verdict judge(Query query) {
        return Oracle.compare(Oracle.of(otherwise, query), Oracle.of(skep, query), query.ordered());
    }

    @Override
    public String toString() {
        return mode + " mode";
    }
}
