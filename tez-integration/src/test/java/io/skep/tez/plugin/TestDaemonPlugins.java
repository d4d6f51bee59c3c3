package io.skep.tez.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.tez.serviceplugins.api.ServicePluginsDescriptor;
import org.junit.jupiter.api.Test;

final class TestDaemonPlugins {
    @Test
    void pluginsLearnWhatTheyNeed() {
        DaemonPlugins remote = new DaemonPlugins(7, false, Map.of("skep.llap.rpc.timeout", "3s"));
        ServicePluginsDescriptor descriptor = remote.descriptor();
        assertThat(DaemonPlugins.of(descriptor.getTaskCommunicatorDescriptors()[0].getUserPayload()))
                .isEqualTo(remote);
        assertThat(DaemonPlugins.of(descriptor.getTaskSchedulerDescriptors()[0].getUserPayload()))
                .isEqualTo(remote);
        // A master on YARN also needs YARN's own scheduler, which registers it.
        assertThat(descriptor.areContainersEnabled()).isTrue();
    }
}
