package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.tez.client.TezClient;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;

/** A warm Tez session: an application master in this process. Runs one DAG at a time. */
final class TezSession implements AutoCloseable {
    private final TezClient client;
    private final Path folder;

    private TezSession(TezClient client, Path folder) {
        this.client = client;
        this.folder = folder;
    }

    static TezSession start(TezSettings settings, DaemonPlugins plugins, String name) {
        Path folder = settings.folder().resolve(name);
        TezClient client = TezClient.newBuilder(name, settings.configuration(folder))
                .setIsSession(true)
                .setServicePluginDescriptor(plugins.descriptor())
                .build();
        try {
            Files.createDirectories(folder);
            client.start();
            client.waitTillReady();
            return new TezSession(client, folder);
        } catch (TezException | IOException e) {
            throw failure("a Tez session cannot be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("the start of a Tez session was interrupted", e);
        }
    }

    DAGClient submit(DAG dag) throws TezException, IOException {
        return client.submitDAG(dag);
    }

    static SkepException failure(String what, Exception cause) {
        return new SkepException(StandardErrorCode.TEZ_ERROR, what + ": " + cause.getMessage(), cause);
    }

    /** Ends the application master and deletes its files. */
    @Override
    public void close() {
        try {
            client.stop();
        } catch (TezException | IOException e) {
            throw failure("a Tez session cannot be stopped", e);
        } finally {
            delete(folder);
        }
    }

    /** Deletes a folder with all that is in it. */
    static void delete(Path folder) {
        try (Stream<Path> paths = Files.exists(folder) ? Files.walk(folder) : Stream.empty()) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw failure("the files of a Tez session cannot be deleted", e);
        }
    }
}
