package io.skep.itests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.file.PrivateFiles;
import io.skep.itests.faults.DaemonSite.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs daemons on their own hosts, with a network between them that is cut without notification, or slow. Queries still
 * return the right answer and leave nothing behind.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestNetworkFaults {
    private static final String ONE = "one";
    private static final String TWO = "two";

    /** Shorter than the timeout after which a host counts as lost. */
    private static final long FLAP_MILLIS = 700;

    private static final int FLAPS = 2;

    private final List<AutoCloseable> open = new ArrayList<>();
    private NetworkLab network;
    private DaemonSite site;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        network = NetworkLab.open(ONE, TWO);
        open.add(network);
        Path secret = Files.writeString(PrivateFiles.create(folder.resolve("secret")), "only for this test");
        List<Place> places = new ArrayList<>();
        for (String host : List.of(ONE, TWO)) {
            places.add(new Place(
                    network.inside(host),
                    Map.of(
                            "skep.llap.bind-host",
                            network.address(host),
                            "skep.llap.insecure-pages",
                            "true",
                            "skep.llap.rpc.secret-file",
                            secret.toString()),
                    folder.resolve(host),
                    0));
        }
        site = DaemonSite.start(places, folder.resolve("data"), Map.of("skep.llap.rpc.secret-file", secret.toString()));
        open.add(site);
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : open.reversed()) {
            part.close();
        }
    }

    @BeforeEach
    void bothAreThere() {
        site.awaitConnected(2);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        network.heal();
        site.awaitConnected(2);
        site.assertNothingLeft();
    }

    /** The server reaches both daemons, and one of them is enough. */
    @Test
    void cutBetweenDaemons() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "direct");
        network.cut(ONE, TWO);
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
        assertThat(site.ask(Pairs.GROUPED, "direct").join()).isEqualTo(Pairs.COUNT);
        site.awaitConnected(2);
        network.heal();
        // The suspicion is over: both daemons are assigned work again.
        assertThat(site.queryOnAll(Pairs.GROUPED, "direct").join()).isEqualTo(Pairs.COUNT);
    }

    @Test
    @EnabledIfSystemProperty(named = "skep.faults", matches = "all")
    void cutBetweenDaemonsUnderADag() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "tez");
        network.cut(ONE, TWO);
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
    }

    @Test
    void cutBetweenServerAndDaemon() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.COUNTED, "direct");
        network.cut(NetworkLab.HERE, TWO);
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
        site.awaitConnected(1);
        assertThat(site.ask(Pairs.SUM, "direct").join()).isEqualTo(Pairs.TOTAL);
    }

    @Test
    @EnabledIfSystemProperty(named = "skep.faults", matches = "all")
    void cutBetweenServerAndDaemonUnderADag() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "tez");
        network.cut(NetworkLab.HERE, ONE);
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
    }

    /** The network is cut and healed before any process counts as lost. The lost packets are sent again. */
    @Test
    void shortCuts() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "direct");
        for (int i = 0; i < FLAPS; i++) {
            network.cut(ONE, i % 2 == 0 ? TWO : NetworkLab.HERE);
            Thread.sleep(FLAP_MILLIS);
            network.heal();
            Thread.sleep(FLAP_MILLIS);
        }
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
    }

    @Test
    void slowLink() throws Exception {
        network.slowDown(TWO, 8);
        try {
            assertThat(site.ask(Pairs.GROUPED, "direct").join()).isEqualTo(Pairs.COUNT);
        } finally {
            network.speedUp(TWO);
        }
    }
}
