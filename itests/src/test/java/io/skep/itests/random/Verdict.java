package io.skep.itests.random;

/** The judgement of an oracle about a query. */
sealed interface Verdict {
    /** The result is correct. */
    record Right() implements Verdict {}

    /** @param why the reason, such as a surplus row, or an error of a query that has a result */
    record Wrong(String why) implements Verdict {}

    /** The oracle cannot tell. */
    record Unknown(String why) implements Verdict {}
}
