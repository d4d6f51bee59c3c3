package io.skep.common.error;

/** Who has to act on an error: the user who wrote the statement, we, the operator of the site, or another system. */
public enum ErrorKind {
    USER,
    INTERNAL,
    RESOURCES,
    EXTERNAL
}
