package io.skep.ql.analyze;

import io.skep.common.error.ClientError;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.exec.UDFArgumentLengthException;
import org.apache.hadoop.hive.ql.exec.UDFArgumentTypeException;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Writes what Hive's function classes say about their arguments as Hive's analyzer does. */
final class ArgumentErrors {
    private static final ClientError GENERIC =
            new ClientError(ClientError.GENERIC, ErrorMsg.GENERIC_ERROR.getSQLState(), ClientError.Form.NAMED);

    private ArgumentErrors() {}

    static SkepException notFound(SyntaxNode where, String name) {
        return CompileErrors.plain(
                where.position(),
                StandardErrorCode.FUNCTION_NOT_FOUND,
                ErrorMsg.INVALID_FUNCTION,
                ErrorMsg.INVALID_FUNCTION.getMsg() + " " + name);
    }

    /** @param call a call, or an operator, whose children are its arguments */
    static SkepException of(SyntaxNode call, String name, SkepException error) {
        SkepException written = switch (error.code()) {
            case FUNCTION_NOT_FOUND -> notFound(call, name);
            case TYPE_MISMATCH, INVALID_ARGUMENT -> refused(call, error);
            default -> error.at(call.position());
        };
        return error.hint().map(written::withHint).orElse(written);
    }

    private static SkepException refused(SyntaxNode call, SkepException error) {
        Throwable cause = error.getCause();
        String reason = cause instanceof UDFArgumentException ? cause.getMessage() : error.getMessage();
        String said = String.valueOf(reason);
        if (cause instanceof UDFArgumentLengthException) {
            return CompileErrors.at(call, error.code(), ErrorMsg.INVALID_ARGUMENT_LENGTH, said);
        }
        if (cause instanceof UDFArgumentTypeException typed) {
            return CompileErrors.at(
                    argument(call, typed.getArgumentId()), error.code(), ErrorMsg.INVALID_ARGUMENT_TYPE, said);
        }
        return CompileErrors.at(call, error.code(), ErrorMsg.INVALID_ARGUMENT, said);
    }

    private static SyntaxNode argument(SyntaxNode call, int index) {
        boolean named = call.is(HiveParser.TOK_FUNCTION) || call.is(HiveParser.TOK_FUNCTIONDI);
        int child = index + (named ? 1 : 0);
        return index >= 0 && child < call.childCount() ? call.child(child) : call;
    }

    /** Returns the error of an aggregate or table function, which Hive shows with the class of its exception. */
    static SkepException ofClass(SyntaxNode call, SkepException error) {
        if (error.code() == StandardErrorCode.FUNCTION_NOT_FOUND) {
            return of(call, FunctionCalls.name(call), error);
        }
        if (!(error.getCause() instanceof UDFArgumentException cause)) {
            return error.at(call.position());
        }
        SkepException written = new SkepException(
                        error.code(), cause.getClass().getSimpleName() + " " + cause.getMessage(), cause)
                .at(call.position())
                .as(GENERIC);
        return error.hint().map(written::withHint).orElse(written);
    }

    /** Like the other, for what Skep checks before it asks Hive's class. */
    static SkepException ofClass(SyntaxNode call, String words) {
        return new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT, UDFArgumentException.class.getSimpleName() + " " + words)
                .at(call.position())
                .as(GENERIC)
                .withHint("the call is " + CompileErrors.shown(call.source()));
    }
}
