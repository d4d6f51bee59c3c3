package io.skep.llap.client.audit;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecurityProperties;
import io.skep.common.config.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the audit log.
 *
 * @param enabled whether there is one
 * @param authorizes whether statements are checked, which each line says
 * @param folder its files are in this folder
 * @param folderSetting the setting that names the folder
 * @param maxFileBytes size at which the next file begins
 * @param maxFiles the oldest file is deleted when there are more
 * @param withText whether lines have the text of statements
 * @param refuses whether statements are refused when their lines cannot be written
 * @param maxWaitingBytes lines that wait for the disk have this size at most, all together
 * @param patience how long a statement waits for its line to be written
 */
public record AuditConfig(
        boolean enabled,
        boolean authorizes,
        Path folder,
        String folderSetting,
        long maxFileBytes,
        int maxFiles,
        boolean withText,
        boolean refuses,
        long maxWaitingBytes,
        Duration patience) {
    private static final long MEGABYTE = 1 << 20;

    public static final Property<Optional<Path>> FOLDER = new Property<>(
            "skep.audit.folder",
            PropertyType.optionalFile(),
            "",
            "Folder of a server's audit log; empty: audit in the data folder. Each server needs its own.");
    /** The folder of a daemon, since servers and daemons may share their settings. */
    public static final Property<Optional<Path>> DAEMON_FOLDER = new Property<>(
            "skep.llap.audit.folder",
            PropertyType.optionalFile(),
            "",
            "Folder of the audit log of a daemon in a process of its own, which has external reads and logins to its "
                    + "pages; empty: audit in its data folder. Each daemon needs its own.");

    static final Property<Long> MAX_FILE_BYTES = new Property<>(
            "skep.audit.max-file-size",
            PropertyType.size(MEGABYTE, Long.MAX_VALUE),
            "100mb",
            "Size at which a new file of the audit log begins.");
    public static final Property<Integer> MAX_FILES = new Property<>(
            "skep.audit.max-files",
            PropertyType.integer(2, 1_000_000),
            "100",
            "Number of files of the audit log; the oldest is deleted when there are more.");
    static final Property<String> TEXT = new Property<>(
            "skep.audit.statement-text",
            PropertyType.oneOf("off", "redacted"),
            "off",
            "Whether the audit log has the texts of statements, without the passwords and keys of URLs and settings.");
    static final Property<String> ON_FAILURE = new Property<>(
            "skep.audit.on-failure",
            PropertyType.oneOf("refuse", "continue"),
            "refuse",
            "What happens to sessions and statements whose line of the audit log cannot be written.");
    static final Property<Long> MAX_WAITING_BYTES = new Property<>(
            "skep.audit.max-waiting-size",
            PropertyType.size(MEGABYTE, 1 << 30),
            "8mb",
            "Size of the lines of the audit log that wait for the disk; further ones wait until there is room.");
    static final Property<Duration> PATIENCE = new Property<>(
            "skep.audit.timeout",
            PropertyType.time(Duration.ofMillis(1)),
            "10s",
            "How long a statement waits for its line of the audit log to be written.");

    /** All properties but the one that statements need, for the reference. */
    public static final List<Property<?>> PROPERTIES =
            List.of(FOLDER, DAEMON_FOLDER, MAX_FILE_BYTES, MAX_FILES, TEXT, ON_FAILURE, MAX_WAITING_BYTES, PATIENCE);

    /** Returns the file that lines are appended to. */
    public Path currentFile() {
        return folder.resolve(AuditFiles.CURRENT);
    }

    /** @param data the server's data folder */
    public static AuditConfig ofServer(SettingsReader reader, Path data) {
        return of(reader, FOLDER, data);
    }

    /** @param data the daemon's data folder */
    public static AuditConfig ofDaemon(SettingsReader reader, Path data) {
        return of(reader, DAEMON_FOLDER, data);
    }

    private static AuditConfig of(SettingsReader reader, Property<Optional<Path>> folder, Path data) {
        boolean authorizes = reader.read(SecurityProperties.AUTHORIZATION);
        return new AuditConfig(
                reader.read(SecurityProperties.AUDIT).orElse(authorizes),
                authorizes,
                reader.read(folder).orElse(data.resolve("audit")).toAbsolutePath(),
                folder.name(),
                reader.read(MAX_FILE_BYTES),
                reader.read(MAX_FILES),
                reader.read(TEXT).equals("redacted"),
                reader.read(ON_FAILURE).equals("refuse"),
                reader.read(MAX_WAITING_BYTES),
                reader.read(PATIENCE));
    }
}
