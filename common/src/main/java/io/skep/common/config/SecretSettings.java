package io.skep.common.config;

import io.skep.common.error.SecretText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Determines which settings are secrets, and displays values without the secrets in them. A setting is a secret when
 * its name begins with an entry of Hive's hidden list, or when it contains a word that names a secret.
 */
public final class SecretSettings {
    /** Displayed in place of a secret. */
    public static final String HIDDEN = "(hidden)";

    private static final Pattern SECRET_NAME = Pattern.compile("passw|paswd|pswd|pwd|bindpw|secret|token|credential"
            + "|(access|account|api|private|encryption|signing|shared|master)[._-]?key(?!store)|accesskeyid|"
            + "fs\\.azure\\.sas|sas[._-]?key|passphrase");

    private final List<String> hidden;

    /** @param hidden prefixes of names, as in Hive's hive.conf.hidden.list */
    public SecretSettings(List<String> hidden) {
        this.hidden = List.copyOf(hidden);
    }

    /** @param list names separated by commas */
    public static SecretSettings ofList(String list) {
        return new SecretSettings(names(list));
    }

    /** Splits a list of names that are separated by commas. */
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

    /** Returns a setting's value in a form that may be displayed. */
    public String redact(String name, String value) {
        return isSecret(name) && !value.isEmpty() ? HIDDEN : redacted(value);
    }

    /** Returns settings in a form that may be displayed, separated by commas. */
    public String redact(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + redact(setting.getKey(), setting.getValue()))
                .sorted()
                .reduce((left, right) -> left + ", " + right)
                .orElse("");
    }

    /** Returns a text without the passwords of URLs and connection strings in it. */
    public static String redacted(String text) {
        return SecretText.redact(text);
    }
}
