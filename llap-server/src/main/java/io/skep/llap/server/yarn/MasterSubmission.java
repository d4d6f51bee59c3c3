package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.llap.client.yarn.LargestContainer;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;

/** Creates the submission of the daemons' application to YARN. */
final class MasterSubmission {
    static final String TYPE = "SKEP-LLAP";
    static final int MASTER_HEAP_MEGABYTES = 256;

    private static final int MASTER_MEGABYTES = 512;
    private static final int MAX_ATTEMPTS = 1000;

    /** Attempts that failed longer ago do not count. */
    private static final long ATTEMPTS_WITHIN_MILLIS = 10 * 60_000;

    private MasterSubmission() {}

    /** Creates a submission whose master is restarted when it dies, while its daemons stay. */
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
     * Checks that YARN can allocate such a container for a daemon.
     *
     * @throws SkepException INVALID_CONFIGURATION that says what is allowed
     */
    static void check(LargestContainer largest, ContainerMemory memory, int cores) {
        largest.check("a daemon", memory.container() >> 20, cores, "--memory", "--cores");
    }
}
