package io.skep.common.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which settings are secrets, and how values are shown without the secrets in them. A setting is a secret when its name begins
 * with one of Hive's hidden list, or when it contains a word that names a secret.
 */
public final class SecretSettings {
    /** Shown in the place of a secret. */
    public static final String HIDDEN = "(hidden)";

    private static final Pattern SECRET_NAME = Pattern.compile("passw|paswd|pswd|pwd|bindpw|secret|token|credential"
            + "|(access|account|api|private|encryption|signing|shared|master)[._-]?key(?!store)|accesskeyid|fs\\.azure\\.sas"
            + "|sas[._-]?key|passphrase");

    /** The names of parameters within URLs, connection strings and Java options whose values are secrets. */
    private static final Pattern PARAMETER = Pattern.compile(
            "(?i)((?:^|[?&;,\\s({]|-D)[\\w.-]*(?:passw|passphrase|pwd|secret|token|credential|access[._-]?key"
                    + "|account[._-]?key|api[._-]?key)[\\w.-]*=)[^;&,\\s)}]+");

    /** A signature of Azure or AWS that grants access to anyone who has the URL. */
    private static final Pattern SIGNATURE = Pattern.compile("(?i)([?&](?:sig|x-amz-signature|signature)=)[^&\\s]+");

    private static final Pattern USER_INFO =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://[^\\s/?#@:]*):[^\\s/?#]*@(?=[^\\s@])");
    private static final Pattern ORACLE = Pattern.compile("(?i)(jdbc:oracle:\\w+:[^\\s/@]+)/[^\\s@]+@");

    private final List<String> hidden;

    /** @param hidden beginnings of names, as Hive's hive.conf.hidden.list has them */
    public SecretSettings(List<String> hidden) {
        this.hidden = List.copyOf(hidden);
    }

    /** @param list names with commas between them */
    public static SecretSettings ofList(String list) {
        return new SecretSettings(names(list));
    }

    /** The names of a list with commas between them. */
    public static List<String> names(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Whether Hive's hidden list names the setting. */
    public boolean isListed(String name) {
        return hidden.stream().anyMatch(name::startsWith);
    }

    /** Whether the setting's value must not be shown. */
    public boolean isSecret(String name) {
        return isListed(name)
                || SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    /** A setting's value as it may be shown. */
    public String shown(String name, String value) {
        return isSecret(name) && !value.isEmpty() ? HIDDEN : redacted(value);
    }

    /** Settings, separated by commas, as they may be shown. */
    public String shown(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + shown(setting.getKey(), setting.getValue()))
                .sorted()
                .reduce((left, right) -> left + ", " + right)
                .orElse("");
    }

    /** A text without the passwords of URLs and connection strings that it contains. */
    public static String redacted(String text) {
        if (text.indexOf('=') < 0 && text.indexOf('@') < 0) {
            return text;
        }
        String result = USER_INFO.matcher(text).replaceAll("$1:***@");
        result = ORACLE.matcher(result).replaceAll("$1/***@");
        result = SIGNATURE.matcher(result).replaceAll("$1***");
        return PARAMETER.matcher(result).replaceAll("$1***");
    }
}
