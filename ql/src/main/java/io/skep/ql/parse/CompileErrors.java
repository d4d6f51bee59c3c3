package io.skep.ql.parse;

import io.skep.common.error.ClientError;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * Creates errors of statements with the numbers, SQLSTATEs, words and positions that Hive has for them. The test
 * {@code TestErrorsOfHive} compares them with the answers of Hive 4.0.1.
 */
public final class CompileErrors {
    /** The SQLSTATE of a definition that fails while it runs, unless its error has one of its own. */
    private static final String TASK_FAILED = "08S01";

    /** Characters of a part of a statement in an error. A literal may have millions. */
    private static final int MAX_SHOWN = 200;

    private CompileErrors() {}

    /** Returns an error at an expression: Hive's words, then the last token of the expression. */
    public static SkepException at(SyntaxNode where, StandardErrorCode code, ErrorMsg error) {
        return located(where, code, error, "");
    }

    /** Like {@link #at(SyntaxNode, StandardErrorCode, ErrorMsg)}, with a reason at the end. */
    public static SkepException at(SyntaxNode where, StandardErrorCode code, ErrorMsg error, String reason) {
        return located(where, code, error, ": " + reason);
    }

    private static SkepException located(SyntaxNode where, StandardErrorCode code, ErrorMsg error, String reason) {
        String words = error.getMsg() + " '" + shown(where.lastToken()) + "'" + reason;
        return new SkepException(code, words)
                .at(where.position())
                .as(client(error, error.getSQLState(), ClientError.Form.POSITIONED));
    }

    /** Returns an error whose text has no position in Hive. Its position is shown with the hint. */
    public static SkepException plain(TextPosition where, StandardErrorCode code, ErrorMsg error, String words) {
        return new SkepException(code, words).at(where).as(client(error, error.getSQLState(), ClientError.Form.PLAIN));
    }

    /** Like the other, with Hive's words alone. */
    public static SkepException plain(TextPosition where, StandardErrorCode code, ErrorMsg error) {
        return plain(where, code, error, error.getMsg());
    }

    /** Returns an error of a whole query. */
    public static SkepException ofQuery(StandardErrorCode code, ErrorMsg error, String words) {
        return new SkepException(code, words).as(client(error, error.getSQLState(), ClientError.Form.PLAIN));
    }

    /** Returns an error in the form that Hive has for clauses: the position, the words, the last token. */
    public static SkepException near(SyntaxNode where, StandardErrorCode code, String words) {
        String text =
                where.position() + " " + words + ". Error encountered near token '" + shown(where.lastToken()) + "'";
        return plain(where.position(), code, ErrorMsg.GENERIC_ERROR, text);
    }

    /** Returns an error that Hive finds when the statement runs, with the SQLSTATE that such errors have. */
    public static SkepException task(TextPosition where, StandardErrorCode code, ErrorMsg error, String words) {
        return new SkepException(code, words).at(where).as(client(error, TASK_FAILED, ClientError.Form.TASK));
    }

    /** Like {@link #task}, for errors that keep their own SQLSTATE. */
    public static SkepException namedTask(TextPosition where, StandardErrorCode code, ErrorMsg error, String words) {
        return new SkepException(code, words).at(where).as(client(error, error.getSQLState(), ClientError.Form.TASK));
    }

    /** Like the other, for a place that does not know the position. */
    public static SkepException namedTask(StandardErrorCode code, ErrorMsg error, String words) {
        return new SkepException(code, words).as(client(error, error.getSQLState(), ClientError.Form.TASK));
    }

    /** Returns a part of a statement for an error, which has the beginning of a long one. */
    public static String shown(String part) {
        return part.length() <= MAX_SHOWN ? part : part.substring(0, MAX_SHOWN) + "...";
    }

    /** Returns how clients see an error whose text has no position in Hive. */
    public static ClientError plainly(ErrorMsg error) {
        return client(error, error.getSQLState(), ClientError.Form.PLAIN);
    }

    private static ClientError client(ErrorMsg error, String sqlState, ClientError.Form form) {
        return new ClientError(error.getErrorCode(), sqlState, form);
    }
}
