package io.skep.common.error;

/**
 * Who must act on an error: the user who wrote the statement, the developers of Skep, the operator of the site, or
 * another system.
 */
public enum ErrorKind {
    USER,
    INTERNAL,
    RESOURCES,
    EXTERNAL
}
