package io.skep.llap.client.external;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings for reads and writes of programs outside of the server.
 *
 * @param port of a daemon in a process of its own, for these programs; empty for none, 0 for any free one
 * @param keyFile file with the keys of tickets, which servers and daemons share
 * @param lifetime how long a ticket is accepted
 * @param maxReads reads that run at once in a process
 * @param maxBytes memory outside the heap for rows that are being sent
 * @param patience how long a reader may take nothing, or a writer send nothing, before its stream ends
 * @param writeLifetime how long a ticket for writing is accepted
 * @param maxWrites parts that a server receives at once
 */
public record ExternalConfig(
        Optional<Integer> port,
        Optional<Path> keyFile,
        Duration lifetime,
        int maxReads,
        long maxBytes,
        Duration patience,
        Duration writeLifetime,
        int maxWrites) {
    private static final long MB = 1L << 20;

    public static final Property<Optional<Integer>> PORT = new Property<>(
            "skep.llap.external.port",
            PropertyType.optionalPort(),
            "",
            "Port (Arrow Flight) from which programs outside of the server read rows of a daemon in a process of its "
                    + "own; 0 takes any free one, empty: none.");
    public static final Property<Optional<Path>> KEY_FILE = new Property<>(
            "skep.llap.external.key-file",
            PropertyType.optionalFile(),
            "",
            "File with the keys of tickets for these programs, one a line, the same for servers and daemons. The first "
                    + "one signs, all verify. It is read again when it changes.");
    static final Property<Duration> LIFETIME = new Property<>(
            "skep.llap.external.ticket-lifetime",
            PropertyType.time(Duration.ofSeconds(1)),
            "1h",
            "How long a ticket for external readers is accepted.");
    static final Property<Integer> MAX_READS = new Property<>(
            "skep.llap.external.max-reads",
            PropertyType.integer(1, 10_000),
            "64",
            "Maximum number of external reads that run at once in a process.");
    static final Property<Long> MAX_BYTES = new Property<>(
            "skep.llap.external.max-memory",
            PropertyType.size(16 * MB, Long.MAX_VALUE),
            "256mb",
            "Memory outside the heap for rows that are being sent to external readers; a server has half as much again "
                    + "for those that writers send.");
    static final Property<Duration> PATIENCE = new Property<>(
            "skep.llap.external.idle-timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "5m",
            "Time after which the read of an external reader that takes no rows ends, and the part of a writer that "
                    + "sends none.");
    public static final Property<Duration> WRITE_LIFETIME = new Property<>(
            "skep.llap.external.write-ticket-lifetime",
            PropertyType.time(Duration.ofSeconds(1)),
            "1d",
            "How long a ticket for external writers is accepted. It ends with the session that has asked for it.");
    public static final Property<Integer> MAX_WRITES = new Property<>(
            "skep.llap.external.max-writes",
            PropertyType.integer(1, 1000),
            "16",
            "Maximum number of parts that a server receives from external writers at once; others wait. Each uses up "
                    + "to 24 MB.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES =
            List.of(PORT, KEY_FILE, LIFETIME, MAX_READS, MAX_BYTES, PATIENCE, WRITE_LIFETIME, MAX_WRITES);

    public static ExternalConfig of(SettingsReader settings) {
        return new ExternalConfig(
                settings.read(PORT),
                settings.read(KEY_FILE),
                settings.read(LIFETIME),
                settings.read(MAX_READS),
                settings.read(MAX_BYTES),
                settings.read(PATIENCE),
                settings.read(WRITE_LIFETIME),
                settings.read(MAX_WRITES));
    }

    /** Returns the keys of the file, or a key of this process without one. */
    public TicketKeys keys() {
        return keyFile.map(TicketKeys::ofFile).orElseGet(TicketKeys::ofProcess);
    }
}
