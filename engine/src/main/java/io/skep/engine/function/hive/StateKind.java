package io.skep.engine.function.hive;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a built-in aggregate function of Hive keeps for a group. Every built-in function has a kind. */
public enum StateKind {
    /** Some numbers. */
    NUMBERS("""
            $sum0 avg corr count covar_pop covar_samp exception_in_vertex_udaf regr_avgx regr_avgy regr_count
            regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy std stddev stddev_pop stddev_samp sum var_pop
            var_samp variance
            """),

    /** One of the values. */
    VALUE("first_value last_value max min"),

    /** All values, all distinct values, or shapes that are merged. */
    VALUES("""
            collect_list collect_set cume_dist dense_rank ntile percent_rank percentile percentile_approx
            percentile_cont percentile_disc rank row_number st_aggr_convexhull st_aggr_union
            """),

    /** Bins, whose number is an argument. */
    HISTOGRAM("histogram_numeric"),

    /** Sequences of words, whose number and length are arguments. */
    NGRAMS("context_ngrams ngrams"),

    /** A sketch whose size is given by arguments. The other names begin with {@code ds_}. */
    SKETCH("approx_distinct bloom_filter compute_bit_vector_fm compute_bit_vector_hll");

    private static final Map<String, StateKind> BY_NAME = byName();

    private final String names;

    StateKind(String names) {
        this.names = names;
    }

    private static Map<String, StateKind> byName() {
        Map<String, StateKind> known = new HashMap<>();
        for (StateKind kind : values()) {
            Arrays.stream(kind.names.split("\\s+"))
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> known.put(name, kind));
        }
        return Map.copyOf(known);
    }

    /** Returns empty for user functions and for functions that are not classified. */
    public static Optional<StateKind> of(String function) {
        StateKind kind = BY_NAME.get(function);
        if (kind == null && function.startsWith("ds_") && !HiveFunctions.isOfUser(function)) {
            kind = SKETCH;
        }
        return Optional.ofNullable(kind);
    }
}
