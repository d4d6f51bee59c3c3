package io.skep.tez.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Encodes a failure as a line of a task's diagnostics, the only channel that Tez offers from a task to the client. */
public final class FailureText {
    private static final Pattern PATTERN = Pattern.compile(
            "\\[skep:([A-Z0-9_]+):(\\d+):(\\d+):([A-Za-z0-9+/=]*):([A-Za-z0-9+/=]*):([A-Za-z0-9+/=]*)]");

    private FailureText() {}

    public static String encode(SkepException failure) {
        TextPosition position = failure.position().orElse(new TextPosition(0, 0));
        return "[skep:" + failure.code() + ":" + position.line() + ":" + position.column() + ":"
                + base64(String.valueOf(failure.getMessage())) + ":"
                + base64(failure.hint().orElse("")) + ":"
                + base64(failure.subject().orElse("")) + "] " + failure.fullMessage();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the first failure in some diagnostics, except a cancellation of the query that another failure has
     * caused.
     */
    public static Optional<SkepException> find(List<String> diagnostics) {
        Optional<SkepException> cancelled = Optional.empty();
        for (String text : diagnostics) {
            Matcher matcher = PATTERN.matcher(text);
            while (matcher.find()) {
                SkepException failure = decode(matcher);
                if (failure.code() != StandardErrorCode.OPERATION_CANCELED) {
                    return Optional.of(failure);
                }
                cancelled = Optional.of(failure);
            }
        }
        return cancelled;
    }

    private static SkepException decode(Matcher matcher) {
        SkepException failure = new SkepException(StandardErrorCode.valueOf(matcher.group(1)), text(matcher.group(4)));
        int line = Integer.parseInt(matcher.group(2));
        if (line > 0) {
            failure = failure.at(new TextPosition(line, Integer.parseInt(matcher.group(3))));
        }
        String hint = text(matcher.group(5));
        String subject = text(matcher.group(6));
        SkepException advised = hint.isEmpty() ? failure : failure.withHint(hint);
        return subject.isEmpty() ? advised : advised.about(subject);
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
