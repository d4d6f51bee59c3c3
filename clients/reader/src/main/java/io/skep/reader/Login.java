package io.skep.reader;

/** User and password. */
public record Login(String user, String password) {
    /** Without the password. */
    @Override
    public String toString() {
        return "Login[" + user + "]";
    }
}
