package io.skep.service.authentication;

/** How a client speaks with the server. */
public enum Transport {
    BINARY,
    HTTP,
    WEB_PAGES
}
