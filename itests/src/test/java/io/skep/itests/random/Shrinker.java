package io.skep.itests.random;

import io.skep.itests.random.Verdict.Wrong;
import java.util.Optional;
import java.util.stream.Stream;

/** Shrinks a query that an oracle judges wrong as long as the judgement stays the same. */
record Shrinker(Oracle oracle, int attempts) {
    private static final int COMPARED = 60;

    /** @param why the oracle's reason for this query */
    record Finding(Query query, String why) {}

    Finding shrink(Query query, String why) {
        Finding smallest = new Finding(query, why);
        int left = attempts;
        boolean shrank = true;
        while (shrank && left > 0) {
            shrank = false;
            for (Query smaller : (Iterable<Query>) candidates(smallest.query())::iterator) {
                Optional<Finding> next = left-- > 0 ? check(smaller, smallest.why()) : Optional.empty();
                if (next.isPresent()) {
                    smallest = next.get();
                    shrank = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private static Stream<Query> candidates(Query query) {
        int length = query.sql(Dialect.HIVE).length();
        return query.smaller().filter(smaller -> smaller.sql(Dialect.HIVE).length() < length);
    }

    /**
     * Judges a smaller query. A query that fails must not turn into one that fails for another reason, such as a
     * missing column.
     */
    private Optional<Finding> check(Query query, String before) {
        return oracle.judge(query) instanceof Wrong(String why) && failure(why).equals(failure(before))
                ? Optional.of(new Finding(query, why))
                : Optional.empty();
    }

    /** Returns the failure without its position, or empty for a result that is not as expected. */
    private static String failure(String why) {
        String text = why.replaceFirst("^.*FAILED: ", "").replaceAll("[^A-Za-z ]", "");
        return why.startsWith("fails: ") ? text.substring(0, Math.min(COMPARED, text.length())) : "";
    }
}
