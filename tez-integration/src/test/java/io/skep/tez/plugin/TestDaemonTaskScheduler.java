package io.skep.tez.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.serviceplugins.api.TaskAttemptEndReason;
import org.apache.tez.serviceplugins.api.TaskSchedulerContext;
import org.junit.jupiter.api.Test;

/** Tests the scheduler's calls to the application master, which is simulated. Tasks are strings. */
final class TestDaemonTaskScheduler {
    private static final Resource ONE = Resource.newInstance(1, 1);

    private final List<String> allocated = new ArrayList<>();
    private final List<ContainerId> containers = new ArrayList<>();
    private final List<ContainerId> released = new ArrayList<>();
    private final DaemonTaskScheduler scheduler = new DaemonTaskScheduler(context());

    private TaskSchedulerContext context() {
        UserPayload payload = DaemonPlugins.inProcess(2)
                .descriptor()
                .getTaskSchedulerDescriptors()[0]
                .getUserPayload();
        return (TaskSchedulerContext) Proxy.newProxyInstance(
                TestDaemonTaskScheduler.class.getClassLoader(),
                new Class<?>[] {TaskSchedulerContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getInitialUserPayload" -> payload;
                    case "getCustomClusterIdentifier" -> 7L;
                    case "getApplicationAttemptId" ->
                        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
                    case "taskAllocated" -> {
                        allocated.add((String) arguments[0]);
                        containers.add(((Container) arguments[2]).getId());
                        yield null;
                    }
                    case "containerBeingReleased" -> {
                        released.add((ContainerId) arguments[0]);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private void ask(String task, int priority) {
        scheduler.allocateTask(task, ONE, new String[0], new String[0], Priority.newInstance(priority), "any", task);
    }

    @Test
    void noMoreTasksThanSlotsThoseOfHighPriorityFirst() {
        ask("a", 1);
        ask("b", 5);
        ask("c", 5);
        ask("d", 2);
        assertThat(allocated).containsExactly("a", "b");
        assertThat(scheduler.getAvailableResources().getVirtualCores()).isZero();
        assertThat(scheduler.deallocateTask("a", true, null, null)).isTrue();
        assertThat(scheduler.deallocateTask("b", true, null, null)).isTrue();
        assertThat(allocated).containsExactly("a", "b", "d", "c");
    }

    @Test
    void aTaskThatAllOthersMayWaitForGetsASlotOfItsOwn() {
        ask("consumer", 5);
        ask("consumer too", 5);
        ask("producer", 2);
        assertThat(allocated).containsExactly("consumer", "consumer too", "producer");
        assertThat(scheduler.getAvailableResources().getVirtualCores()).isZero();
    }

    @Test
    void containersServeOneTaskAfterTheOther() {
        ask("a", 1);
        scheduler.deallocateTask("a", true, null, null);
        ask("b", 1);
        assertThat(containers.get(1)).isEqualTo(containers.get(0));
        assertThat(scheduler.getHeldContainersCount()).isEqualTo(1);
    }

    @Test
    void aContainerWhoseTaskFailedIsNotUsedAgain() {
        ask("a", 1);
        scheduler.deallocateTask("a", false, TaskAttemptEndReason.OTHER, "failed");
        ask("b", 1);
        assertThat(containers.get(1)).isNotEqualTo(containers.get(0));
    }

    @Test
    void tasksThatWaitAreTakenBack() {
        ask("a", 1);
        ask("b", 1);
        ask("c", 1);
        assertThat(scheduler.deallocateTask("c", false, TaskAttemptEndReason.OTHER, "killed"))
                .isFalse();
        scheduler.deallocateTask("a", true, null, null);
        assertThat(allocated).containsExactly("a", "b");
    }

    @Test
    void aContainerThatIsTakenAwayFreesItsSlot() {
        ask("a", 1);
        ask("b", 1);
        ask("c", 1);
        assertThat(scheduler.deallocateContainer(containers.get(0))).isEqualTo("a");
        assertThat(released).containsExactly(containers.get(0));
        assertThat(allocated).containsExactly("a", "b", "c");
        assertThat(scheduler.deallocateContainer(containers.get(0))).isNull();
    }
}
