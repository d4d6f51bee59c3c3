package io.skep.llap.client;

/**
 * A file that a plan needs. A daemon stores such a file by its content.
 *
 * @param location how the plan names it
 * @param hash the SHA-256 of its content in hexadecimal digits
 */
public record PlanFile(String location, String hash) {
    private static final int DIGITS = 64;

    public PlanFile {
        if (hash.length() != DIGITS || !hash.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128)) {
            throw new IllegalArgumentException("'" + hash + "' is no hash of a file");
        }
    }
}
