package io.skep.spark;

import java.util.regex.Pattern;

/** Takes secrets out of texts that JDBC drivers write, such as the URL with which they could not connect. */
final class Secrets {
    private static final String HIDDEN = "***";
    private static final Pattern IN_URLS = Pattern.compile(
            "(?i)([;?&/](?:[\\w.]*(?:password|pwd|secret|token|jwt|http\\.header)[\\w.]*)=)[^;?&#\\s]*");

    private Secrets() {}

    static String without(String text, SkepOptions options) {
        String plain = IN_URLS.matcher(text).replaceAll("$1" + HIDDEN);
        return options.password()
                .map(password -> plain.replace(password, HIDDEN))
                .orElse(plain);
    }
}
