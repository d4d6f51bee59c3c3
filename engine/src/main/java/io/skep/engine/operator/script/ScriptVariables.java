package io.skep.engine.operator.script;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The environment of a script: a few variables of the process, and the settings that the task has. Names of settings
 * have {@code _} in the place of all characters that are no letters or digits. Other variables of the process may be
 * secrets.
 */
final class ScriptVariables {
    /** Which process belongs to which run of a script; descendants inherit it. */
    static final String RUN = "SKEP_SCRIPT_RUN";

    private static final List<String> PASSED =
            List.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH");

    /** The length to which values are cut, as in Hive. */
    private static final int LONGEST_CUT = 20 << 10;

    private ScriptVariables() {}

    /**
     * @param process the environment of this process
     * @param run a name for this run of the script
     */
    static Map<String, String> of(
            Map<String, String> process, Map<String, String> settings, ScriptSettings own, String run) {
        Map<String, String> variables = new HashMap<>();
        settings.forEach((name, value) -> {
            boolean cut = own.truncatesVariables() && value.length() > LONGEST_CUT;
            if (!own.blacklist().contains(name) && value.indexOf('\0') < 0) {
                variables.put(safe(name), cut ? value.substring(0, LONGEST_CUT) : value);
            }
        });
        for (String name : PASSED) {
            String value = process.get(name);
            if (value != null) {
                variables.put(name, value);
            }
        }
        variables.put(safe(own.idVariable()), run);
        variables.put(RUN, run);
        return variables;
    }

    private static String safe(String name) {
        return name.replaceAll("[^0-9A-Za-z]", "_");
    }
}
