package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;

/** Evaluates functions whose value is known at the start of the statement and stays the same throughout it. */
final class SessionFunctions {
    static final String IS_MEMBER = "is_member";

    private SessionFunctions() {}

    /** Evaluates is_member. Names of roles have no letter case. */
    static LiteralAnalyzer.Literal isMember(String role, AnalysisContext context) {
        boolean member = context.isMember(role.toLowerCase(Locale.ROOT));
        return new LiteralAnalyzer.Literal(new Datum.OfLong(member ? 1 : 0), PrimitiveType.BOOLEAN);
    }

    static Optional<LiteralAnalyzer.Literal> find(String name, int arguments, AnalysisContext context) {
        if (arguments != 0) {
            return Optional.empty();
        }
        return switch (name) {
            case "current_date" ->
                Optional.of(new LiteralAnalyzer.Literal(
                        new Datum.OfLong(local(context).toLocalDate().toEpochDay()), PrimitiveType.DATE));
            case "current_timestamp" -> {
                LocalDateTime now = local(context);
                yield Optional.of(new LiteralAnalyzer.Literal(
                        new Datum.OfTimestamp(now.toEpochSecond(ZoneOffset.UTC), now.get(ChronoField.NANO_OF_SECOND)),
                        PrimitiveType.TIMESTAMP));
            }
            case "unix_timestamp" ->
                Optional.of(new LiteralAnalyzer.Literal(
                        new Datum.OfLong(context.queryStart().getEpochSecond()), PrimitiveType.BIGINT));
            case "current_user", "logged_in_user" -> text(context.user());
            case "current_database" -> text(context.currentDatabase());
            default -> Optional.empty();
        };
    }

    private static LocalDateTime local(AnalysisContext context) {
        Instant start = context.queryStart();
        return LocalDateTime.ofInstant(start, context.timeZone());
    }

    private static Optional<LiteralAnalyzer.Literal> text(String value) {
        return Optional.of(new LiteralAnalyzer.Literal(Datum.ofText(value), PrimitiveType.STRING));
    }
}
