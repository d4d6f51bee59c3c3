package io.skep.common.error;

import java.io.Serializable;

/**
 * How clients see an error. Tools match on numbers, SQLSTATEs and texts, so an error that Hive has too has Hive's.
 *
 * @param number the vendor's code, such as 10001 for a table that does not exist
 * @param sqlState five characters
 */
public record ClientError(int number, String sqlState, Form form) implements Serializable {
    /** The number of Hive's errors that have none of their own. */
    public static final int GENERIC = 40000;

    /** What precedes the message in the text. */
    public enum Form {
        /** A text that does not parse: its position. */
        SYNTAX,
        /** A statement that cannot be compiled: the number and the position, as in Hive's errors of expressions. */
        POSITIONED,
        /** Like {@link #POSITIONED} without the position, as in Hive's errors of definitions. */
        PLAIN,
        /** A definition that Hive checks when it runs: the number and the words that Hive has for the task. */
        TASK,
        /** Like {@link #PLAIN}, for a message that begins with the class of an exception of Hive. */
        NAMED,
        /** A command that is no SQL, such as SET. */
        COMMAND,
        /** Anything else, such as the lack of memory. Hive has no words for it. */
        OTHER
    }
}
