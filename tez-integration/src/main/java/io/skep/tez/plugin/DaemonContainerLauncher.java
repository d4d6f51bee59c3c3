package io.skep.tez.plugin;

import org.apache.tez.serviceplugins.api.ContainerLaunchRequest;
import org.apache.tez.serviceplugins.api.ContainerLauncher;
import org.apache.tez.serviceplugins.api.ContainerLauncherContext;
import org.apache.tez.serviceplugins.api.ContainerStopRequest;
import org.apache.tez.serviceplugins.api.TaskAttemptEndReason;

/** Launches and stops the containers that represent slots of daemons. There is no process to start or stop. */
public final class DaemonContainerLauncher extends ContainerLauncher {
    public DaemonContainerLauncher(ContainerLauncherContext context) {
        super(context);
    }

    @Override
    public void launchContainer(ContainerLaunchRequest request) {
        getContext().containerLaunched(request.getContainerId());
    }

    @Override
    public void stopContainer(ContainerStopRequest request) {
        getContext().containerStopRequested(request.getContainerId());
        getContext().containerCompleted(request.getContainerId(), 0, "", TaskAttemptEndReason.OTHER);
    }
}
