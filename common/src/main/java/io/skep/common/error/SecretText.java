package io.skep.common.error;

import java.util.regex.Pattern;

/**
 * Removes the passwords of URLs, connection strings and Java options from texts. The look-ahead of all patterns is
 * bounded.
 */
public final class SecretText {
    /** Matches parameters of URLs, connection strings and Java options whose values are secrets. */
    private static final Pattern PARAMETER = Pattern.compile(
            "(?i)((?:^|[?&;,\\s({]|-D)[\\w.-]{0,80}?(?:passw|passphrase|pwd|secret|token|credential|access[._-]?key"
                    + "|account[._-]?key|api[._-]?key)[\\w.-]{0,80}+=)[^;&,\\s)}]+");

    /** Matches a signature of Azure or AWS, which grants access to anyone who has the URL. */
    private static final Pattern SIGNATURE = Pattern.compile("(?i)([?&](?:sig|x-amz-signature|signature)=)[^&\\s]+");

    private static final Pattern USER_INFO =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]{0,30}://[^\\s/?#@:]{0,200}):[^\\s/?#]{0,500}@(?=[^\\s@])");
    private static final Pattern ORACLE =
            Pattern.compile("(?i)(jdbc:oracle:\\w{1,10}:[^\\s/@]{1,200})/[^\\s@]{1,500}@");

    private SecretText() {}

    /** Returns the text with each such secret replaced by stars. */
    public static String redact(String text) {
        if (text.indexOf('=') < 0 && text.indexOf('@') < 0) {
            return text;
        }
        String result = USER_INFO.matcher(text).replaceAll("$1:***@");
        result = ORACLE.matcher(result).replaceAll("$1/***@");
        result = SIGNATURE.matcher(result).replaceAll("$1***");
        return PARAMETER.matcher(result).replaceAll("$1***");
    }
}
