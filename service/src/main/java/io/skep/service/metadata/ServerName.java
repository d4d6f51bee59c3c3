package io.skep.service.metadata;

/** What the server says it is. Clients decide by name and version which SQL they may send, so these are Hive's. */
public final class ServerName {
    public static final String PRODUCT = "Apache Hive";
    public static final String VERSION = "4.0.1";

    /** The maximum length of names of databases, tables and columns that clients are told. */
    public static final int MAX_IDENTIFIER = 128;

    private ServerName() {}
}
