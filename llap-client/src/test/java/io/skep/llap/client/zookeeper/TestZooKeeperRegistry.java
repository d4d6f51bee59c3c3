package io.skep.llap.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.registry.DaemonCapacity;
import io.skep.llap.client.registry.DaemonEntry;
import io.skep.llap.client.registry.DaemonOffer;
import io.skep.llap.client.registry.DaemonRegistration;
import io.skep.llap.client.registry.DaemonRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests daemons and a reader on a real ZooKeeper, each with a session of its own. */
@Timeout(120)
final class TestZooKeeperRegistry {
    @TempDir
    private Path folder;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private TestingZooKeeper zooKeeper;
    private ZooKeeperRegistry reader;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = own(new TestingZooKeeper(folder));
        reader = registry(own(zooKeeper.client()));
    }

    @AfterEach
    void stop() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private <T extends AutoCloseable> T own(T part) {
        opened.push(part);
        return part;
    }

    private ZooKeeperRegistry registry(ZooKeeperClient client) {
        return own(ZooKeeperRegistry.open(client, "test", "r"));
    }

    /** Returns a daemon with a session of its own. */
    private DaemonRegistration daemon(String incarnation, int port) {
        return own(registry(own(zooKeeper.client())).register(offer(incarnation, port)));
    }

    private static DaemonOffer offer(String incarnation, int port) {
        return new DaemonOffer(incarnation, "127.0.0.1", port, 0, new DaemonCapacity(2, 100, 200));
    }

    private Process process(Duration session, String incarnation, int port) throws IOException {
        Process process = RegisteredProcess.start(zooKeeper.connectString(), session, incarnation, port);
        own(process::destroyForcibly);
        return process;
    }

    private List<String> slots() {
        return reader.entries().stream()
                .map(entry -> entry.identity().slot() + " " + entry.identity().incarnation())
                .toList();
    }

    private void awaitSlots(String... expected) {
        TestingZooKeeper.await("slots " + List.of(expected), () -> slots().equals(List.of(expected)));
    }

    @Test
    void daemonsTakeTheLowestFreeSlot() {
        DaemonRegistration a = daemon("a", 1);
        DaemonRegistration b = daemon("b", 2);
        daemon("c", 3);
        awaitSlots("0 a", "1 b", "2 c");
        assertThat(b.identity()).isEqualTo(new DaemonIdentity(1, "b", 2));
        a.close();
        awaitSlots("1 b", "2 c");
        daemon("d", 4);
        awaitSlots("0 d", "1 b", "2 c");
        DaemonEntry entry = reader.entries().getFirst();
        assertThat(entry).isEqualTo(offer("d", 4).inSlot(0));
    }

    @Test
    void slotsOfDaemonsThatComeAtOnceAreApart() {
        List<Thread> threads = new ArrayList<>();
        List<ZooKeeperRegistry> registries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            registries.add(registry(own(zooKeeper.client())));
        }
        List<DaemonRegistration> registered = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            threads.add(Thread.ofVirtual()
                    .start(() -> registered.add(registries.get(number).register(offer("i" + number, 100 + number)))));
        }
        threads.forEach(Uninterruptibles::joinUninterruptibly);
        registered.forEach(this::own);
        assertThat(registered).hasSize(8);
        TestingZooKeeper.await("eight daemons", () -> reader.entries().size() == 8);
        assertThat(reader.entries().stream().map(entry -> entry.identity().slot()))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void changedCapacityIsSeen() {
        DaemonRegistration daemon = daemon("a", 1);
        awaitSlots("0 a");
        List<List<DaemonEntry>> told = new CopyOnWriteArrayList<>();
        try (DaemonRegistry.Listening listening = reader.listen(told::add)) {
            daemon.updateCapacity(new DaemonCapacity(5, 500, 600));
            DaemonEntry changed =
                    offer("a", 1).withCapacity(new DaemonCapacity(5, 500, 600)).inSlot(0);
            TestingZooKeeper.await("the change", () -> told.contains(List.of(changed)));
            assertThat(daemon.identity().executors()).isEqualTo(5);
            assertThat(listening).isNotNull();
        }
    }

    @Test
    void slotOfAKilledDaemonIsTakenByItsSuccessor() throws Exception {
        Process killed = process(TestingZooKeeper.SESSION, "killed", 1);
        awaitSlots("0 killed");
        daemon("b", 2);
        killed.destroyForcibly().waitFor();
        awaitSlots("1 b");
        daemon("c", 3);
        awaitSlots("0 c", "1 b");
    }

    @Test
    void daemonRestartedAtItsAddressDoesNotWaitForTheOldSession() throws Exception {
        Process killed = process(Duration.ofHours(1), "killed", 1);
        awaitSlots("0 killed");
        killed.destroyForcibly().waitFor();
        assertThat(slots()).containsExactly("0 killed");
        daemon("again", 1);
        awaitSlots("0 again");
    }

    /** The daemon hangs, is declared lost, and comes back when another one has its slot. */
    @Test
    void twoLivesNeverStandInOneSlot() throws Exception {
        Process hanging = process(TestingZooKeeper.SESSION, "hanging", 1);
        awaitSlots("0 hanging");
        RegisteredProcess.signal(hanging, "STOP");
        awaitSlots();
        daemon("b", 2);
        awaitSlots("0 b");
        RegisteredProcess.signal(hanging, "CONT");
        awaitSlots("0 b", "1 hanging");
    }

    @Test
    void daemonThatLostItsSessionComesBackInItsSlot() throws Exception {
        daemon("a", 1);
        ZooKeeperClient client = own(zooKeeper.client());
        DaemonRegistration b = own(registry(client).register(offer("b", 2)));
        awaitSlots("0 a", "1 b");
        b.updateCapacity(new DaemonCapacity(9, 1, 1));
        TestingZooKeeper.await(
                "the change", () -> reader.entries().getLast().identity().executors() == 9);
        long lost = expire(client);
        TestingZooKeeper.await("another session", () -> sessionOf(client) != lost);
        TestingZooKeeper.await("b in its slot", () -> slots().equals(List.of("0 a", "1 b")));
        assertThat(reader.entries().getLast().identity().executors()).isEqualTo(9);
        assertThat(b.identity().slot()).isEqualTo(1);
    }

    @Test
    void deletedNodeIsMadeAgain() throws Exception {
        ZooKeeperClient client = own(zooKeeper.client());
        own(registry(client).register(offer("a", 1)));
        awaitSlots("0 a");
        List<List<DaemonEntry>> told = new CopyOnWriteArrayList<>();
        try (DaemonRegistry.Listening listening = reader.listen(told::add)) {
            client.curator().delete().forPath("/test/r/daemons/slot-0000");
            TestingZooKeeper.await("gone and back", () -> told.size() == 3);
            assertThat(listening).isNotNull();
        }
        assertThat(told.get(1)).isEmpty();
        assertThat(told.get(2)).isEqualTo(told.get(0));
    }

    /**
     * The outage is longer than a session. The list stays, the daemons return with ZooKeeper, and new ones join them.
     */
    @Test
    void zooKeeperGoesAndComesBack() throws Exception {
        ZooKeeperClient client = own(zooKeeper.client());
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        client.curator().getConnectionStateListenable().addListener((curator, state) -> states.add(state));
        DaemonRegistration a = own(registry(client).register(offer("a", 1)));
        daemon("b", 2);
        awaitSlots("0 a", "1 b");
        long before = sessionOf(client);
        zooKeeper.stop();
        TestingZooKeeper.await("the session is given up", () -> states.contains(ConnectionState.LOST));
        assertThat(slots()).containsExactly("0 a", "1 b");
        a.updateCapacity(new DaemonCapacity(6, 1, 1));
        zooKeeper.startAgain();
        TestingZooKeeper.await("another session", () -> sessionOf(client) != before);
        TestingZooKeeper.await(
                "the change made meanwhile",
                () -> slots().equals(List.of("0 a", "1 b"))
                        && reader.entries().getFirst().identity().executors() == 6);
        daemon("c", 3);
        awaitSlots("0 a", "1 b", "2 c");
    }

    @Test
    void zooKeeperForgetsEverything() throws Exception {
        daemon("a", 1);
        daemon("b", 2);
        awaitSlots("0 a", "1 b");
        zooKeeper.replace();
        TestingZooKeeper.await("both again", () -> reader.entries().size() == 2);
        ZooKeeperRegistry other = registry(own(zooKeeper.client()));
        TestingZooKeeper.await(
                "both in the new ZooKeeper", () -> other.entries().size() == 2);
        assertThat(other.entries().stream().map(entry -> entry.identity().incarnation()))
                .containsExactlyInAnyOrder("a", "b");
        TestingZooKeeper.await("the reader sees it", () -> reader.entries().equals(other.entries()));
    }

    @Test
    void strangersInTheFolderAreLeftAlone() throws Exception {
        ZooKeeperClient client = own(zooKeeper.client());
        client.curator().create().creatingParentsIfNeeded().forPath("/test/r/daemons/slot-0000", new byte[] {1});
        client.curator().create().forPath("/test/r/daemons/notes", new byte[0]);
        daemon("a", 1);
        awaitSlots("1 a");
    }

    @Test
    void unreachableZooKeeperIsAnErrorThatNamesIt() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        ZooKeeperConfig nowhere = new ZooKeeperConfig(
                "127.0.0.1:" + port,
                TestingZooKeeper.SESSION,
                Duration.ofMillis(300),
                Duration.ofMillis(20),
                0,
                Optional.empty());
        try (ZooKeeperClient client = ZooKeeperClient.open(nowhere)) {
            assertThatThrownBy(() -> ZooKeeperRegistry.open(client, "test", "r"))
                    .isInstanceOfSatisfying(SkepException.class, e -> {
                        assertThat(e.code()).isEqualTo(StandardErrorCode.ZOOKEEPER_ERROR);
                        assertThat(e.getMessage()).contains("127.0.0.1:" + port);
                    });
        }
    }

    private static long sessionOf(ZooKeeperClient client) {
        try {
            return client.curator().getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception e) {
            return 0;
        }
    }

    /** Ends a session as ZooKeeper does with a silent client, and returns its number. */
    private long expire(ZooKeeperClient client) throws Exception {
        ZooKeeper session = client.curator().getZookeeperClient().getZooKeeper();
        long id = session.getSessionId();
        ZooKeeper twin = new ZooKeeper(zooKeeper.connectString(), 1000, event -> {}, id, session.getSessionPasswd());
        try (twin) {
            TestingZooKeeper.await(
                    "the twin is connected", () -> twin.getState().isConnected());
        }
        return id;
    }
}
