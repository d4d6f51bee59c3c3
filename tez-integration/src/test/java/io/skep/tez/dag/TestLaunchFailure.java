package io.skep.tez.dag;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests texts from a real YARN. A node without the service is tested where queries run in containers. */
final class TestLaunchFailure {
    @Test
    void missingServiceIsNamed() {
        SkepException found = LaunchFailure.find(List.of(
                        "Vertex killed",
                        "Task failed, diagnostics=[TaskAttempt 0 failed,"
                                + " info=[Container launch failed for container_1_0001_01_000003 :"
                                + " org.apache.hadoop.yarn.exceptions.InvalidAuxServiceException:"
                                + " The auxService:mapreduce_shuffle does not exist\n\tat"))
                .orElseThrow();
        assertThat(found.code()).isEqualTo(StandardErrorCode.YARN_ERROR);
        assertThat(found.hint().orElseThrow()).contains("yarn.nodemanager.aux-services=mapreduce_shuffle");
    }

    @Test
    void largestContainerOfTheQueueIsTold() {
        SkepException found = LaunchFailure.find(List.of("Vertex's TaskResource is beyond the cluster container"
                        + " capability,Vertex=vertex_1_0001_3_00 [Fragment 0],"
                        + " Requested TaskResource=<memory:5000, vCores:1>,"
                        + " Cluster MaxContainerCapability=<memory:4096, vCores:4>"))
                .orElseThrow();
        assertThat(found.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
        assertThat(found.fullMessage()).contains("5000 mb", "4096 mb", "hive.tez.container.size");
    }

    @Test
    void othersAreLeftAlone() {
        assertThat(LaunchFailure.find(List.of("Vertex failed", "TaskAttempt 0 killed")))
                .isEmpty();
    }
}
