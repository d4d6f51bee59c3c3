package io.skep.ql.execution;

import io.skep.common.error.StandardErrorCode;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides what follows when an attempt to run a query fails. It is one table for all statements and schedulers, as a
 * pure function. The first matching rule decides. A failure is final when effects of the attempt may have been visible
 * outside.
 */
public final class RetryPolicy {
    /** The scheduler that runs a query. */
    public enum Scheduler {
        DIRECT,
        TEZ
    }

    /** The effects that an attempt has left. */
    public enum Effect {
        /** None: the rows are buffered until they are complete. */
        NONE,
        /** Files in a staging folder, under names that no other attempt uses. */
        STAGED,
        /** Rows have been sent to the client. */
        VISIBLE
    }

    /** What follows a failure. */
    public enum Decision {
        /** The files are listed again. */
        LIST_AGAIN("list the files again and run over them"),
        /** The same scheduler runs it once more, over the same files and on the remaining daemons. */
        RUN_AGAIN("run again in the same way, without what was lost"),
        THROUGH_TEZ("run again through Tez"),
        FAIL("fail");

        private final String text;

        Decision(String text) {
            this.text = text;
        }

        /** Returns the decision as text for a log line, to follow "to". */
        String text() {
            return text;
        }
    }

    /**
     * A failed attempt.
     *
     * @param failures the number of attempts that have failed with this error under this scheduler, including this one
     * @param started whether any part of it may have run; otherwise no daemon or Tez session accepted it
     * @param mayUseTez whether the settings let the server choose Tez
     */
    public record Failure(
            StandardErrorCode code,
            int failures,
            Scheduler scheduler,
            boolean started,
            boolean mayUseTez,
            Effect effect) {}

    private enum Condition {
        ALWAYS(""),
        STARTED(", if it was started"),
        NOT_STARTED(", if it was not taken"),
        MAY_USE_TEZ(", if the settings allow Tez");

        private final String text;

        Condition(String text) {
            this.text = text;
        }

        boolean holds(Failure failure) {
            return switch (this) {
                case ALWAYS -> true;
                case STARTED -> failure.started();
                case NOT_STARTED -> !failure.started();
                case MAY_USE_TEZ -> failure.mayUseTez();
            };
        }
    }

    private record Rule(
            Set<StandardErrorCode> codes,
            Set<Scheduler> schedulers,
            Condition condition,
            int maxAttempts,
            Decision decision) {
        boolean fits(Failure failure) {
            return codes.contains(failure.code())
                    && schedulers.contains(failure.scheduler())
                    && condition.holds(failure)
                    && failure.failures() < maxAttempts;
        }

        String row() {
            String attempts = maxAttempts == ANY ? "any" : "up to " + maxAttempts;
            return "| " + sorted(codes) + " | " + sorted(schedulers) + condition.text + " | " + attempts + " | "
                    + decision.text + " |";
        }

        private static <E extends Enum<E>> String sorted(Set<E> set) {
            return set.stream()
                    .sorted(Comparator.naturalOrder())
                    .map(Enum::name)
                    .collect(Collectors.joining(", "));
        }
    }

    private static final int ANY = Integer.MAX_VALUE;
    private static final int MAX_LISTINGS = 10;
    private static final int MAX_CHANGES = 5;
    private static final int MAX_ATTEMPTS = 3;
    private static final int MAX_SUBMISSIONS = 10;

    private static final List<Rule> RULES = List.of(
            new Rule(
                    Set.of(StandardErrorCode.MISSING_FILE),
                    Set.of(Scheduler.values()),
                    Condition.ALWAYS,
                    MAX_LISTINGS,
                    Decision.LIST_AGAIN),
            new Rule(
                    Set.of(StandardErrorCode.TABLE_CHANGED),
                    Set.of(Scheduler.values()),
                    Condition.STARTED,
                    MAX_CHANGES,
                    Decision.LIST_AGAIN),
            new Rule(
                    Set.of(StandardErrorCode.DAEMON_LOST),
                    Set.of(Scheduler.DIRECT),
                    Condition.STARTED,
                    MAX_ATTEMPTS,
                    Decision.RUN_AGAIN),
            new Rule(
                    Set.of(
                            StandardErrorCode.DAEMON_LOST,
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                            StandardErrorCode.QUEUE_FULL),
                    Set.of(Scheduler.DIRECT),
                    Condition.MAY_USE_TEZ,
                    ANY,
                    Decision.THROUGH_TEZ),
            new Rule(
                    Set.of(StandardErrorCode.TEZ_MASTER_LOST),
                    Set.of(Scheduler.TEZ),
                    Condition.NOT_STARTED,
                    MAX_SUBMISSIONS,
                    Decision.RUN_AGAIN),
            new Rule(
                    Set.of(StandardErrorCode.DAEMON_LOST, StandardErrorCode.TEZ_MASTER_LOST),
                    Set.of(Scheduler.TEZ),
                    Condition.STARTED,
                    MAX_ATTEMPTS,
                    Decision.RUN_AGAIN));

    private RetryPolicy() {}

    public static Decision decide(Failure failure) {
        if (failure.effect() == Effect.VISIBLE) {
            return Decision.FAIL;
        }
        return RULES.stream()
                .filter(rule -> rule.fits(failure))
                .findFirst()
                .map(Rule::decision)
                .orElse(Decision.FAIL);
    }

    /** Returns the table in Markdown, as docs/retries.md has it. */
    static String table() {
        return RULES.stream()
                .map(Rule::row)
                .collect(Collectors.joining(
                        "\n",
                        "| error | scheduler | attempts that fail so | what is done |\n| --- | --- | --- | --- |\n",
                        "\n| all others | any | any | " + Decision.FAIL.text + " |\n"));
    }
}
