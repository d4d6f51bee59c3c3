package io.skep.itests.random;

import io.skep.itests.random.Verdict.Wrong;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes a query that an oracle finds wrong smaller while it stays wrong. */
record Shrinker(Oracle oracle, int attempts) {
    private static final int COMPARED = 60;

    /** @param why as the oracle said of this query */
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

    /** A query that fails must not turn into one that fails for another reason, such as a column that was left out. */
    private Optional<Finding> check(Query query, String before) {
        return oracle.judge(query) instanceof Wrong(String why) && failure(why).equals(failure(before))
                ? Optional.of(new Finding(query, why))
                : Optional.empty();
    }

    /** What failed without where; empty for a result that is not as expected. */
    private static String failure(String why) {
        String text = why.replaceFirst("^.*FAILED: ", "").replaceAll("[^A-Za-z ]", "");
        return why.startsWith("fails: ") ? text.substring(0, Math.min(COMPARED, text.length())) : "";
    }
}
