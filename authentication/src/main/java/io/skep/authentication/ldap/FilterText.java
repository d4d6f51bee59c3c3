package io.skep.authentication.ldap;

/** Texts in search filters (RFC 4515). */
final class FilterText {
    private FilterText() {}

    /** Returns a value that matches only this text, whatever a client has put into it. */
    static String escaped(String value) {
        StringBuilder escaped = new StringBuilder(value.length() + 8);
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '*' -> escaped.append("\\2a");
                case '(' -> escaped.append("\\28");
                case ')' -> escaped.append("\\29");
                case '\\' -> escaped.append("\\5c");
                case '\0' -> escaped.append("\\00");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
