package io.skep.itests.random;

/** What an oracle says of a query. */
sealed interface Verdict {
    /** The result is as it must be. */
    record Right() implements Verdict {}

    /** @param why such as a row too many, or an error of a query that has a result */
    record Wrong(String why) implements Verdict {}

    /** The oracle cannot tell. */
    record Unknown(String why) implements Verdict {}
}
