package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.llap.client.yarn.LargestContainer;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;

/** How YARN is asked for the application of daemons. */
final class MasterSubmission {
    static final String TYPE = "SKEP-LLAP";
    static final int MASTER_HEAP_MEGABYTES = 256;

    private static final int MASTER_MEGABYTES = 512;
    private static final int MAX_ATTEMPTS = 1000;

    /** Attempts that failed longer ago do not count. */
    private static final long ATTEMPTS_WITHIN_MILLIS = 10 * 60_000;

    private MasterSubmission() {}

    /** Its master is started again when it dies, and its daemons stay meanwhile. */
    static ApplicationSubmissionContext of(ApplicationId id, String name, String queue, ContainerLaunchContext master) {
        ApplicationSubmissionContext context = ApplicationSubmissionContext.newInstance(
                id,
                name,
                queue,
                null,
                master,
                false,
                true,
                MAX_ATTEMPTS,
                Resource.newInstance(MASTER_MEGABYTES, 1),
                TYPE,
                true);
        context.setAttemptFailuresValidityInterval(ATTEMPTS_WITHIN_MILLIS);
        context.setApplicationTags(Set.of("skep-llap"));
        return context;
    }

    /**
     * Checks that YARN would give a daemon such a container.
     *
     * @throws SkepException INVALID_CONFIGURATION that says what is allowed
     */
    static void check(LargestContainer largest, ContainerMemory memory, int cores) {
        largest.check("a daemon", memory.container() >> 20, cores, "--memory", "--cores");
    }
}
