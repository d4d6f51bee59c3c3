package io.skep.engine.function.hive;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a built-in aggregate function of Hive keeps of a group. Every one is of a kind. */
public enum StateKind {
    /** Some numbers. */
    NUMBERS("""
            $sum0 avg corr count covar_pop covar_samp exception_in_vertex_udaf regr_avgx regr_avgy regr_count
            regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy std stddev stddev_pop stddev_samp sum var_pop
            var_samp variance
            """),

    /** One of the values. */
    VALUE("first_value last_value max min"),

    /** All values, or all different ones, or shapes that are put together. */
    VALUES("""
            collect_list collect_set cume_dist dense_rank ntile percent_rank percentile percentile_approx percentile_cont
            percentile_disc rank row_number st_aggr_convexhull st_aggr_union
            """),

    /** As many bins as an argument says. */
    HISTOGRAM("histogram_numeric"),

    /** Sequences of words, as many and as long as arguments say. */
    NGRAMS("context_ngrams ngrams"),

    /** As much as arguments say; the other names begin with {@code ds_}. */
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

    /** Empty for functions of users, and for those that nobody has looked at. */
    public static Optional<StateKind> of(String function) {
        StateKind kind = BY_NAME.get(function);
        if (kind == null && function.startsWith("ds_") && !HiveFunctions.isOfUser(function)) {
            kind = SKETCH;
        }
        return Optional.ofNullable(kind);
    }
}
