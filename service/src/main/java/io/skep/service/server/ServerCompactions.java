package io.skep.service.server;

import io.skep.common.memory.MemoryPool;
import io.skep.common.time.SteadyClock;
import io.skep.metastore.local.LocalMetastore;
import io.skep.ql.compaction.CompactionConfig;
import io.skep.ql.compaction.CompactionParts;
import io.skep.ql.compaction.CompactionService;
import io.skep.ql.statement.StatementServices;
import io.skep.storage.compaction.CompactionFiles;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.DirectPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.registry.FormatRegistry;
import java.time.ZoneId;

/** Starts a server's compactions. They read files directly, so that they do not displace what queries have cached. */
final class ServerCompactions {
    private ServerCompactions() {}

    /** @param server identifies the server, also after a restart */
    static CompactionService start(
            CompactionConfig config,
            LocalMetastore metastore,
            StatementServices services,
            HadoopFileSystem files,
            FormatRegistry formats,
            String server) {
        CompactionFiles io = new CompactionFiles(
                files,
                formats,
                new DirectPageSourceFactory(formats, files, new PartitionValues(ZoneId.systemDefault())),
                formats,
                MemoryPool.root("compactions", config.memory()));
        CompactionParts parts =
                new CompactionParts(metastore.uncached(), services.transactions(), io, services.commits());
        return new CompactionService(parts, config, server, SteadyClock.start());
    }
}
