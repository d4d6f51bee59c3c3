package io.skep.engine.operator.script;

import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.RecordLimit;
import java.util.Map;
import java.util.Set;

/**
 * The settings of a script that tasks read.
 *
 * @param partialConsumption hive.exec.script.allow.partial.consumption: whether a script may leave input unread
 * @param maxLoggedBytes hive.exec.script.maxerrsize: bytes of a script's stderr that go to the log
 * @param idVariable hive.script.operator.id.env.var: the environment variable with an id of the script's run
 * @param truncatesVariables hive.script.operator.truncate.env: whether long values of variables are cut
 * @param blacklist hive.script.operator.env.blacklist: settings that do not become environment variables
 * @param longestLine the limit of a line that a script prints
 */
public record ScriptSettings(
        boolean partialConsumption,
        long maxLoggedBytes,
        String idVariable,
        boolean truncatesVariables,
        Set<String> blacklist,
        RecordLimit longestLine) {
    private static final String PARTIAL = "hive.exec.script.allow.partial.consumption";
    private static final String MAX_ERROR = "hive.exec.script.maxerrsize";
    private static final String ID_VARIABLE = "hive.script.operator.id.env.var";
    private static final String TRUNCATE = "hive.script.operator.truncate.env";
    private static final String BLACKLIST = "hive.script.operator.env.blacklist";

    /** The names of all these settings. They are sent with each task. */
    public static final Set<String> NAMES =
            Set.of(PARTIAL, MAX_ERROR, ID_VARIABLE, TRUNCATE, BLACKLIST, RecordLimit.SETTING);

    static ScriptSettings of(Map<String, String> settings) {
        return new ScriptSettings(
                flag(settings, PARTIAL),
                number(settings, MAX_ERROR, 100_000),
                text(settings, ID_VARIABLE, "HIVE_SCRIPT_OPERATOR_ID"),
                flag(settings, TRUNCATE),
                Set.copyOf(SecretSettings.names(text(
                        settings,
                        BLACKLIST,
                        "hive.txn.valid.txns,hive.txn.tables.valid.writeids,hive.txn.valid.writeids,"
                                + "hive.script.operator.env.blacklist,hive.repl.current.table.write.id"))),
                settings.containsKey(RecordLimit.SETTING)
                        ? new RecordLimit((int)
                                Math.min(Integer.MAX_VALUE, number(settings, RecordLimit.SETTING, Integer.MAX_VALUE)))
                        : RecordLimit.ofDefault());
    }

    private static boolean flag(Map<String, String> settings, String name) {
        return Boolean.parseBoolean(settings.getOrDefault(name, "false").strip());
    }

    private static String text(Map<String, String> settings, String name, String absent) {
        return settings.getOrDefault(name, absent).strip();
    }

    private static long number(Map<String, String> settings, String name, long absent) {
        String text = settings.getOrDefault(name, Long.toString(absent)).strip();
        try {
            return Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, name + " is '" + text + "', not a number", e);
        }
    }
}
