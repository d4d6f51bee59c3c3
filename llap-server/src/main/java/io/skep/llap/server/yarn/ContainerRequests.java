package io.skep.llap.server.yarn;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;

/** The container requests to YARN. Owned by the master's thread. */
final class ContainerRequests {
    private static final Priority PRIORITY = Priority.newInstance(1);
    private static final int MB = 1 << 20;

    private final AMRMClient<ContainerRequest> manager;
    private final Deque<ContainerRequest> open = new ArrayDeque<>();
    private Set<String> avoided = Set.of();

    ContainerRequests(AMRMClient<ContainerRequest> manager) {
        this.manager = manager;
    }

    /** Requests this number of containers in total, on nodes other than those to avoid. */
    void ask(int count, DesiredState wanted, Set<String> avoid) {
        Resource size = size(wanted);
        while (!open.isEmpty()
                && (open.size() > count || !open.getLast().getCapability().equals(size))) {
            manager.removeContainerRequest(open.removeLast());
        }
        while (open.size() < count) {
            ContainerRequest request = new ContainerRequest(size, null, null, PRIORITY);
            open.addLast(request);
            manager.addContainerRequest(request);
        }
        avoid(avoid);
    }

    private void avoid(Set<String> avoid) {
        Set<String> added = new HashSet<>(avoid);
        added.removeAll(avoided);
        Set<String> removed = new HashSet<>(avoided);
        removed.removeAll(avoid);
        if (!added.isEmpty() || !removed.isEmpty()) {
            // The call changes the lists.
            manager.updateBlacklist(new ArrayList<>(added), new ArrayList<>(removed));
            avoided = Set.copyOf(avoid);
        }
    }

    /** Notes that a container was allocated for one of the requests. */
    void containerAllocated() {
        if (!open.isEmpty()) {
            manager.removeContainerRequest(open.removeFirst());
        }
    }

    private static Resource size(DesiredState wanted) {
        return Resource.newInstance(wanted.memory().container() / MB, wanted.cores());
    }
}
