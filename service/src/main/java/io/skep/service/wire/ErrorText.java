package io.skep.service.wire;

import io.skep.common.error.ClientError;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Optional;

/** Writes errors as Hive does, then Skep's hint on a line of its own. */
final class ErrorText {
    private static final String TASK = "org.apache.hadoop.hive.ql.ddl.DDLTask";

    private static final String PROCESSING = "Error while processing statement: ";

    private ErrorText() {}

    /** @param doing what precedes errors of statements that are SQL */
    static String of(SkepException failure, String doing) {
        boolean command = failure.client().form() == ClientError.Form.COMMAND;
        String text = (command ? PROCESSING : doing) + start(failure) + failure.getMessage();
        return details(failure).map(details -> text + "\n" + details).orElse(text);
    }

    private static String start(SkepException failure) {
        ClientError client = failure.client();
        return switch (client.form()) {
            case SYNTAX -> "ParseException " + place(failure, "line ");
            case POSITIONED -> "SemanticException " + number(client) + place(failure, "Line ");
            case PLAIN -> "SemanticException " + number(client);
            case TASK -> "Execution Error, return code " + client.number() + " from " + TASK + ". ";
            case NAMED, COMMAND -> "";
            case OTHER ->
                (failure.code() == StandardErrorCode.INTERNAL_ERROR ? "Internal error: " : "")
                        + place(failure, "Line ");
        };
    }

    /** Returns the number as Hive writes it. Hive leaves out the one of errors that have none of their own. */
    private static String number(ClientError client) {
        boolean generic = client.number() == ClientError.GENERIC;
        return generic ? "" : "[Error " + client.number() + "]: ";
    }

    private static String place(SkepException failure, String word) {
        return failure.position().map(at -> word + at + " ").orElse("");
    }

    private static Optional<String> details(SkepException failure) {
        boolean placed = switch (failure.client().form()) {
            case SYNTAX, POSITIONED, OTHER -> true;
            case PLAIN, TASK, NAMED, COMMAND -> false;
        };
        Optional<String> where = placed ? Optional.empty() : failure.position().map(at -> "at line " + at);
        Optional<String> hint = failure.hint().map(advice -> "hint: " + advice);
        return where.isPresent() && hint.isPresent()
                ? Optional.of(where.get() + ", " + hint.get())
                : where.or(() -> hint);
    }
}
