package io.skep.ql.schedule;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.apache.hive.common.util.TimestampParser;

/**
 * The Quartz expression of a schedule clause: seconds, minutes, hours, day of the month, month, day of the week, year.
 * EVERY counts within the next larger unit, so every 40 minutes means at minutes 0 and 40 of each hour, as in Hive.
 */
final class ScheduleExpression {
    private static final String ALWAYS = "*";
    private static final String DATES = " * * ? *";
    private static final int MOST_HOURS = 23;
    private static final int MOST_MINUTES = 59;

    /** The forms of an offset: two kinds of timestamps, and times of a day. */
    private static final List<String> OFFSETS = List.of("iso8601", "rfc1123", "HH:mm:ss", "H:mm:ss", "HH:mm");

    private ScheduleExpression() {}

    static boolean isSchedule(SyntaxNode clause) {
        return clause.is(HiveParser.TOK_CRON) || clause.is(HiveParser.TOK_SCHEDULE);
    }

    /**
     * @param clause TOK_CRON, whose text the metastore checks, or TOK_SCHEDULE
     * @throws SkepException INVALID_ARGUMENT for a period or an offset that a schedule cannot have
     */
    static String of(SyntaxNode clause) {
        if (clause.is(HiveParser.TOK_CRON)) {
            return SyntaxText.string(clause.child(0));
        }
        SyntaxNode every = clause.child(0);
        SyntaxNode unit = clause.child(1);
        Timestamp offset = clause.childCount() > 2 ? offset(clause.child(2)) : new Timestamp();
        int hours = offset.getHours();
        int minutes = offset.getMinutes();
        int seconds = offset.getSeconds();
        return switch (unit.type()) {
            case HiveParser.TOK_INTERVAL_DAY_LITERAL -> {
                requireOneDay(every);
                yield seconds + " " + minutes + " " + hours + DATES;
            }
            case HiveParser.TOK_INTERVAL_HOUR_LITERAL ->
                seconds + " " + minutes + " " + each(hours, period(every, MOST_HOURS, "hours")) + DATES;
            case HiveParser.TOK_INTERVAL_MINUTE_LITERAL ->
                seconds + " " + each(minutes, period(every, MOST_MINUTES, "minutes")) + " " + ALWAYS + DATES;
            case HiveParser.TOK_INTERVAL_SECOND_LITERAL ->
                each(seconds, period(every, MOST_MINUTES, "seconds")) + " " + ALWAYS + " " + ALWAYS + DATES;
            default ->
                throw refused(unit, "not supported schedule interval(only HOUR/MINUTE/SECOND is supported)")
                        .withHint("schedules are EVERY DAY, EVERY n HOURS, MINUTES or SECONDS, or a CRON expression");
        };
    }

    private static void requireOneDay(SyntaxNode every) {
        if (every.childCount() > 0 && !every.child(0).text().equals("1")) {
            throw refused(
                            every,
                            "EVERY " + CompileErrors.shown(every.child(0).text())
                                    + " DAY is not supported; only EVERY DAY is supported")
                    .withHint("a CRON expression has days: '0 0 0 */2 * ? *' is every second day of a month");
        }
    }

    private static int period(SyntaxNode every, int most, String unit) {
        if (every.childCount() == 0) {
            return 1;
        }
        String text = every.child(0).text();
        int period;
        try {
            period = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            period = 0;
        }
        if (period < 1 || period > most) {
            throw refused(every, "Period " + CompileErrors.shown(text) + " not in range [1, " + most + "] of " + unit)
                    .withHint("longer periods have a larger unit or a CRON expression");
        }
        return period;
    }

    private static String each(int start, int period) {
        String from = start == 0 ? ALWAYS : Integer.toString(start);
        return start == 0 && period == 1 ? from : from + "/" + period;
    }

    private static Timestamp offset(SyntaxNode literal) {
        String text = SyntaxText.string(literal);
        Timestamp offset = new TimestampParser(OFFSETS).parseTimestamp(text);
        if (offset == null) {
            throw refused(literal, "'" + CompileErrors.shown(text) + "' is no offset of a schedule")
                    .withHint("an offset is a time of the day, such as '2:30:00'");
        }
        return offset;
    }

    private static SkepException refused(SyntaxNode where, String words) {
        return CompileErrors.plain(where.position(), StandardErrorCode.INVALID_ARGUMENT, ErrorMsg.GENERIC_ERROR, words);
    }
}
