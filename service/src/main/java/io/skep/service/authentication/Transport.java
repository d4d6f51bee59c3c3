package io.skep.service.authentication;

/** How a client speaks with the server. */
public enum Transport {
    BINARY,
    HTTP,
    FLIGHT,
    WEB_PAGES,
    /** The server itself runs a scheduled query. */
    SCHEDULE
}
