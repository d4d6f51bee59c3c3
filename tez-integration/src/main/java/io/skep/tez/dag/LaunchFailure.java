package io.skep.tez.dag;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.tez.session.TezConfig;
import io.skep.tez.wire.ContainerConfig;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Derives why tasks' containers do not start from the messages of YARN and Tez, which have no codes for it. */
final class LaunchFailure {
    private static final Pattern NO_SERVICE = Pattern.compile("The auxService:(\\S+) does not exist");
    private static final Pattern TOO_LARGE = Pattern.compile(
            "beyond the cluster container capability.*Requested TaskResource=<memory:(\\d+), vCores:(\\d+)"
                    + ".*MaxContainerCapability=<memory:(\\d+), vCores:(\\d+)");

    private LaunchFailure() {}

    /** Returns the first such reason in some diagnostics. */
    static Optional<SkepException> find(List<String> diagnostics) {
        for (String text : diagnostics) {
            Matcher service = NO_SERVICE.matcher(text);
            if (service.find()) {
                return Optional.of(noService(service.group(1)));
            }
            Matcher size = TOO_LARGE.matcher(text);
            if (size.find()) {
                return Optional.of(tooLarge(size));
            }
        }
        return Optional.empty();
    }

    private static SkepException noService(String service) {
        return new SkepException(
                        StandardErrorCode.YARN_ERROR,
                        "a node of YARN starts no tasks' containers, as it has no service " + service)
                .withHint("set yarn.nodemanager.aux-services=" + service
                        + " on each node; bin/skep doctor names those without");
    }

    /**
     * YARN's largest container is larger, or the query would not have come this far. A master knows the limit of its
     * queue at the time the master started.
     */
    private static SkepException tooLarge(Matcher size) {
        return new SkepException(
                        StandardErrorCode.INVALID_CONFIGURATION,
                        "a task's container of " + size.group(1) + " mb and " + size.group(2)
                                + " cores is larger than the largest that the query's application master may ask for, "
                                + size.group(3) + " mb and "
                                + size.group(4) + " cores")
                .withHint("ask for less with " + ContainerConfig.MEGABYTES.name() + " and "
                        + ContainerConfig.CORES.name() + ", or choose another queue with " + TezConfig.QUEUE.name());
    }
}
