package io.skep.tez.plugin;

import org.apache.tez.serviceplugins.api.ContainerLaunchRequest;
import org.apache.tez.serviceplugins.api.ContainerLauncher;
import org.apache.tez.serviceplugins.api.ContainerLauncherContext;
import org.apache.tez.serviceplugins.api.ContainerStopRequest;
import org.apache.tez.serviceplugins.api.TaskAttemptEndReason;

/** Starts and ends the containers that stand for slots of daemons: there is nothing to be started or ended. */
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
