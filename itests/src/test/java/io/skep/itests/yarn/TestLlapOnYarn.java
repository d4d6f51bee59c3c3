package io.skep.itests.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Daemons on a real YARN with two node managers and a real HDFS: started, lost, changed and stopped. */
@Timeout(400)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestLlapOnYarn {
    private final YarnProcess yarn;

    TestLlapOnYarn(@TempDir Path folder) throws IOException {
        this.yarn = YarnProcess.start(folder, 2);
    }

    @AfterAll
    void stop() {
        yarn.close();
    }

    @Test
    void asManyDaemonsRunAsAreWanted() throws IOException {
        LlapShell llap = new LlapShell(yarn, "fleet", ListeningDaemon.class.getName());
        llap.run("start", "--instances", "2", "--memory", "800mb", "--cores", "1");
        List<RunningDaemon> first = llap.daemons();
        assertThat(first).hasSize(2).allMatch(RunningDaemon::isAlive);
        assertThat(first).extracting(RunningDaemon::node).doesNotHaveDuplicates();

        // One is killed: another one takes its place.
        first.get(0).kill();
        llap.awaitDaemons("one is replaced", now -> now.size() == 2 && !now.contains(first.get(0)));
        List<RunningDaemon> healed = llap.daemons();
        assertThat(healed).contains(first.get(1)).allMatch(RunningDaemon::isAlive);
        assertThat(llap.status()).anyMatch(line -> line.contains("exit code 137"));

        // The master is killed: the daemons stay, and the next one does what is wanted.
        llap.killMaster();
        llap.run("resize", "--instances", "1");
        List<RunningDaemon> fewer = llap.daemons();
        assertThat(fewer).hasSize(1);
        assertThat(healed).containsAll(fewer);
        llap.run("resize", "--instances", "2");
        List<RunningDaemon> more = llap.daemons();
        assertThat(more).hasSize(2).containsAll(fewer);

        llap.run("restart", "--rolling", "--memory", "700mb", "--cores", "1");
        List<RunningDaemon> restarted = llap.daemons();
        assertThat(restarted).hasSize(2).doesNotContainAnyElementsOf(more);
        assertThat(restarted).extracting(RunningDaemon::generation).containsOnly(2L);
        assertThat(more).noneMatch(RunningDaemon::isAlive);
        assertThat(llap.status()).anyMatch(line -> line.contains("container 700 mb"));

        llap.run("stop");
        llap.awaitThat("all have ended", () -> restarted.stream().noneMatch(RunningDaemon::isAlive));
        assertThat(llap.masters()).isEmpty();
        assertThat(llap.folderExists()).isFalse();
        assertThat(llap.run("stop")).containsExactly("LLAP fleet does not run");
    }

    @Test
    void whatCannotBeDoneIsRefused() throws IOException {
        LlapShell llap = new LlapShell(yarn, "refused", ListeningDaemon.class.getName());
        assertRefused(llap, "larger than YARN's largest container", "start", "--instances", "1", "--memory", "100gb");
        assertRefused(llap, "cores", "start", "--instances", "1", "--memory", "800mb", "--cores", "1000");
        assertRefused(llap, "too small for a daemon", "start", "--instances", "1", "--memory", "300mb");
        assertRefused(
                llap,
                "queues are default",
                "start",
                "--instances",
                "1",
                "--memory",
                "800mb",
                "--cores",
                "1",
                "--queue",
                "q");
        assertRefused(llap, "--instances is missing", "start");
        assertRefused(llap, "unknown option --what", "start", "--what", "1");
        assertRefused(llap, "does not run", "resize", "--instances", "1");
        assertRefused(llap, "does not run", "restart", "--rolling");
        assertRefused(llap, "--rolling", "restart");
        assertThat(llap.status()).containsExactly("LLAP refused does not run");
        assertThat(llap.folderExists()).isFalse();
    }

    private static void assertRefused(LlapShell llap, String reason, String... arguments) {
        assertThatThrownBy(() -> llap.run(arguments))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining(reason);
    }
}
