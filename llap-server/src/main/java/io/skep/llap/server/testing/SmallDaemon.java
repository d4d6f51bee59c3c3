package io.skep.llap.server.testing;

import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputSource;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.registry.FormatRegistry;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/** Creates daemons with two executors and little memory, which read and write local files. */
public final class SmallDaemon {
    private SmallDaemon() {}

    /** @param spill folder for rows that leave memory, for these daemons only */
    public static LlapConfig config(Path spill) {
        return new LlapConfig(
                2, 8, 2, 1_000_000, 16 << 20, 1 << 20, 16, 64 << 20, 32 << 20, 8 << 20, 1L << 30, 1L << 30, 1L << 30,
                1L << 30, 1 << 20, 1 << 20, 0, List.of(), spill);
    }

    /** @param peers returns the daemons from which this one reads rows */
    public static LlapDaemon start(int slot, Path spill, Function<DaemonIdentity, ? extends OutputSource> peers) {
        LlapConfig config = config(spill);
        HadoopFileSystem files = new HadoopFileSystem(new Configuration());
        FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);
        DaemonResources resources = new DaemonResources(config, formats);
        return new LlapDaemon(
                new DaemonIdentity(slot, "life of " + slot, config.executors()),
                config,
                resources,
                DaemonStorage.of(resources, formats, formats, files, new PartitionValues(ZoneOffset.UTC)),
                peers);
    }
}
