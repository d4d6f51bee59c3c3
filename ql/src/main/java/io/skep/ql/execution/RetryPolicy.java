package io.skep.ql.execution;

import io.skep.common.error.StandardErrorCode;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is done when a run of a query fails: one table for statements and schedulers. The first rule that fits decides. A query
 * whose rows have gone to its client, and one that writes, is never run again: its rows would be there twice.
 */
public final class RetryPolicy {
    /** Who runs a query. */
    public enum Scheduler {
        DIRECT,
        TEZ
    }

    /** What follows a failure. */
    public enum Decision {
        /** The statement lists its files anew and runs over those. */
        LIST_AGAIN("list the files again and run over them"),
        /** The same scheduler runs it once more, on the daemons that are left. */
        RUN_AGAIN("run again in the same way, without what was lost"),
        THROUGH_TEZ("run again through Tez"),
        FAIL("fail");

        private final String text;

        Decision(String text) {
            this.text = text;
        }
    }

    /**
     * A run that has failed.
     *
     * @param attempt how many runs there were, this one included: of one listing of the files, or of listings for MISSING_FILE
     * @param started whether anything of it ran; otherwise there was nobody to run it
     * @param mayUseTez whether the settings let the server choose Tez
     * @param rowsDelivered whether rows have gone to the client
     * @param writes whether it writes tables or files
     */
    public record Failure(
            StandardErrorCode code,
            int attempt,
            Scheduler scheduler,
            boolean started,
            boolean mayUseTez,
            boolean rowsDelivered,
            boolean writes) {}

    private record Rule(
            Set<StandardErrorCode> codes,
            Set<Scheduler> schedulers,
            int maxAttempts,
            boolean ifStarted,
            boolean ifTez,
            Decision decision) {
        boolean fits(Failure failure) {
            return codes.contains(failure.code())
                    && schedulers.contains(failure.scheduler())
                    && failure.attempt() < maxAttempts
                    && (!ifStarted || failure.started())
                    && (!ifTez || failure.mayUseTez());
        }

        String row() {
            String condition = (ifStarted ? ", if it was started" : "") + (ifTez ? ", if the settings allow Tez" : "");
            String attempts = maxAttempts == Integer.MAX_VALUE ? "any" : "up to " + maxAttempts + " runs";
            return "| " + sorted(codes) + " | " + sorted(schedulers) + condition + " | " + attempts + " | "
                    + decision.text + " |";
        }

        private static <E extends Enum<E>> String sorted(Set<E> set) {
            return set.stream()
                    .sorted(Comparator.naturalOrder())
                    .map(Enum::name)
                    .collect(Collectors.joining(", "));
        }
    }

    private static final int MAX_LISTINGS = 10;
    private static final int MAX_RUNS = 3;

    private static final List<Rule> RULES = List.of(
            new Rule(
                    Set.of(StandardErrorCode.MISSING_FILE),
                    Set.of(Scheduler.values()),
                    MAX_LISTINGS,
                    false,
                    false,
                    Decision.LIST_AGAIN),
            new Rule(
                    Set.of(StandardErrorCode.DAEMON_LOST),
                    Set.of(Scheduler.DIRECT),
                    MAX_RUNS,
                    true,
                    false,
                    Decision.RUN_AGAIN),
            new Rule(
                    Set.of(
                            StandardErrorCode.DAEMON_LOST,
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                            StandardErrorCode.QUEUE_FULL),
                    Set.of(Scheduler.DIRECT),
                    Integer.MAX_VALUE,
                    false,
                    true,
                    Decision.THROUGH_TEZ),
            new Rule(
                    Set.of(StandardErrorCode.DAEMON_LOST, StandardErrorCode.TEZ_MASTER_LOST),
                    Set.of(Scheduler.TEZ),
                    MAX_RUNS,
                    true,
                    false,
                    Decision.RUN_AGAIN));

    private RetryPolicy() {}

    public static Decision decide(Failure failure) {
        if (failure.rowsDelivered() || failure.writes()) {
            return Decision.FAIL;
        }
        return RULES.stream()
                .filter(rule -> rule.fits(failure))
                .findFirst()
                .map(Rule::decision)
                .orElse(Decision.FAIL);
    }

    /** The table in Markdown, as docs/retries.md has it. */
    static String table() {
        return RULES.stream()
                .map(Rule::row)
                .collect(Collectors.joining(
                        "\n",
                        "| error | scheduler | runs | what is done |\n| --- | --- | --- | --- |\n",
                        "\n| all others | any | any | " + Decision.FAIL.text + " |\n"));
    }
}
