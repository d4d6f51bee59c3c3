package io.skep.tez.session;

import io.skep.common.file.PrivateFiles;
import io.skep.tez.plugin.DaemonPlugins;
import io.skep.tez.wire.LocalFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Application masters in this process, with Tez's local mode. */
public final class LocalMasters implements TezMasters {
    /** Longer than any call, since no call goes over a network. */
    private static final Duration ALWAYS_THERE = Duration.ofDays(1000);

    private final TezSessionConfig settings;

    public LocalMasters(TezSessionConfig settings) {
        this.settings = settings;
        LocalFolders.delete(settings.folder());
    }

    @Override
    public TezSession start(String queue, BooleanSupplier unwanted) {
        String name = "skep-" + UUID.randomUUID();
        Path folder = settings.folder().resolve(name);
        try {
            PrivateFiles.createDirectories(folder);
        } catch (IOException e) {
            throw TezSession.failure("the folder of a Tez session cannot be made", e);
        }
        SessionClient client = SessionClient.local(
                name, settings.configuration(folder), DaemonPlugins.inProcess(settings.parallelTasks()));
        return TezSession.start(client, queue, ALWAYS_THERE, unwanted, () -> LocalFolders.delete(folder));
    }

    @Override
    public void close() {}
}
