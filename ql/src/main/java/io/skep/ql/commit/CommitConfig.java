package io.skep.ql.commit;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecurityProperties;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Settings that say how commits are made durable, and how servers on one metastore database take turns on a table.
 *
 * @param lease after this time without a sign of life of a commit, another server ends it
 * @param patience how long a statement waits for other commits that are under way
 * @param isForced whether local files are forced to the disk before a commit
 * @param renames schemes of file systems that rename a file in one step
 * @param givesFolders whether folders that a commit makes get the owner of the files that arrive in them
 */
public record CommitConfig(
        Duration lease, Duration patience, boolean isForced, List<String> renames, boolean givesFolders) {
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private static final Property<Duration> LEASE = new Property<>(
            "skep.commit.lease",
            new PropertyType<>("a time of 1s or more (s without a unit)", CommitConfig::lease),
            "20s",
            "Lease of a server's commits. When a server does not renew it for this time, another server ends its "
                    + "commits.");
    private static final Property<Duration> PATIENCE = new Property<>(
            "skep.commit.lock-timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "5m",
            "Maximum time that a statement waits for other commits to its table.");

    private static final Property<Boolean> FORCED = new Property<>(
            "skep.commit.fsync",
            PropertyType.flag(),
            "true",
            "Whether data files and folders on local disks are forced to the disk before a write is acknowledged. "
                    + "Without it, a power failure may lose a write; a killed server does not.");
    private static final Property<String> RENAMES = new Property<>(
            "skep.commit.rename-schemes",
            PropertyType.text(),
            "file,hdfs,viewfs,webhdfs,swebhdfs,ofs,o3fs",
            "Schemes of file systems whose renames are atomic. Writes to others, such as object stores, are "
                    + "refused: their renames copy, and readers may see part of a commit.");

    public static final List<Property<?>> PROPERTIES = List.of(LEASE, PATIENCE, FORCED, RENAMES);

    /** The defaults of a server without settings. */
    public static final CommitConfig DEFAULT = new CommitConfig(
            LEASE.type().parse(LEASE.defaultValue()),
            PATIENCE.type().parse(PATIENCE.defaultValue()),
            true,
            schemes(RENAMES.defaultValue()),
            false);

    /** Creates settings of a server that acts for nobody. */
    public CommitConfig(Duration lease, Duration patience, boolean isForced, List<String> renames) {
        this(lease, patience, isForced, renames, false);
    }

    private static List<String> schemes(String text) {
        return Arrays.stream(text.split(",")).map(String::strip).toList();
    }

    /** How long a server that is stopping waits for its commits. */
    Duration closing() {
        return CLOSING;
    }

    /** @throws SkepException NOT_SUPPORTED when the location is on a file system whose renames are not one step */
    void checkRenames(String location) {
        int colon = location.indexOf(':');
        String scheme = colon < 0 ? "" : location.substring(0, colon);
        if (!renames.contains(scheme)) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "writes to " + location + " are not supported: renames of " + scheme
                                    + " are not known to be atomic, so a commit could be seen in part")
                    .withHint(
                            "write to a table on HDFS or a local disk; if renames of that file system are atomic, add "
                                    + scheme + " to " + RENAMES.name());
        }
    }

    private static Duration lease(String text) {
        Duration lease = PropertyType.time(Duration.ofSeconds(1)).parse(text);
        if (lease.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException();
        }
        return lease;
    }

    /** Reads the settings. The reader reports invalid ones. */
    public static CommitConfig of(SettingsReader settings) {
        return new CommitConfig(
                settings.read(LEASE),
                settings.read(PATIENCE),
                settings.read(FORCED),
                schemes(settings.read(RENAMES)),
                settings.read(SecurityProperties.DO_AS));
    }
}
