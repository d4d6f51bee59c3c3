package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Starts daemons in containers, each on a separate thread, because a call to a lost node may take long to fail. */
final class DaemonLauncher {
    private final NMClient nodes;
    private final ApplicationFolder folder;
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

    DaemonLauncher(NMClient nodes, ApplicationFolder folder) {
        this.nodes = nodes;
        this.folder = folder;
    }

    /** A container in which no daemon could be started. */
    record Failure(String container, String reason) {}

    void launch(Container container, DesiredState wanted) {
        Thread.ofVirtual().name("launch-" + container.getId()).start(() -> {
            try {
                nodes.startContainer(container, context(wanted));
            } catch (IOException | YarnException | RuntimeException e) {
                failures.add(new Failure(container.getId().toString(), String.valueOf(e.getMessage())));
            }
        });
    }

    private ContainerLaunchContext context(DesiredState wanted) {
        DaemonPackage contents = folder.contents(wanted.generation())
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.MISSING_FILE,
                        "the package of generation " + wanted.generation() + " is not in " + folder.path()));
        return folder.withTokens(
                contents.daemon(wanted.memory(), wanted.cores(), folder.path().toString()));
    }

    /** Returns the failures since the last call. */
    Queue<Failure> takeFailures() {
        Queue<Failure> taken = new ConcurrentLinkedQueue<>();
        for (Failure one = failures.poll(); one != null; one = failures.poll()) {
            taken.add(one);
        }
        return taken;
    }
}
