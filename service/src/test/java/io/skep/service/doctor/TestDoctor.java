package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.service.doctor.Finding.Grade;
import io.skep.service.server.ServerAddress;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks each part once. The doctor must report it with its remedy. */
final class TestDoctor {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    /** Runs the checks with free ports, unless {@code site} sets others. */
    private List<Finding> examine(Map<String, String> site) throws Exception {
        Map<String, String> settings =
                new HashMap<>(Map.of("hive.server2.thrift.port", "0", "hive.server2.webui.port", "0"));
        settings.putAll(site);
        return new Doctor(PATIENCE)
                .runChecks(Doctor.checks(folder.resolve("data"), settings, Optional.empty(), Optional.empty()));
    }

    private static List<Finding> failures(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.grade() == Grade.FAILURE)
                .toList();
    }

    private static Finding only(List<Finding> findings) {
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    private static Finding part(List<Finding> findings, String part) {
        return findings.stream()
                .filter(finding -> finding.part().equals(part))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void placeWithoutServerIsHealthyAndStaysAsItIs() throws Exception {
        List<Finding> findings = examine(Map.of());
        assertThat(failures(findings)).isEmpty();
        assertThat(part(findings, "data folder").text()).contains("not there yet");
        assertThat(part(findings, "server").text()).contains("none runs");
        assertThat(part(findings, "metastore").text()).contains("embedded");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aJournalThatCannotBeReadIsShownWithItsTable() throws Exception {
        Path commits = Files.createDirectories(folder.resolve("data/commits"));
        String lines = "delete\tfile:/w/t/000000_0\nrecord\tdefault\tt\tfile:/w/t\t";
        Files.writeString(commits.resolve("q-0.commit.unreadable"), lines);
        Finding finding = only(failures(examine(Map.of())));
        assertThat(finding.part()).isEqualTo("commits");
        assertThat(finding.text()).contains("q-0.commit.unreadable").contains("default.t");
        assertThat(finding.remedy()).isPresent();
    }

    @Test
    void runningServerIsFound() throws Exception {
        Files.createDirectories(folder.resolve("data/warehouse"));
        try (SkepServer server = SkepServer.start(
                new ServerOptions(0, 0, folder.resolve("data"), Map.of("skep.server.warmup-queries", "0")))) {
            ServerAddress.of(server).write(folder.resolve("data"));
            List<Finding> findings = examine(Map.of());
            assertThat(failures(findings)).isEmpty();
            assertThat(part(findings, "server").text()).contains("127.0.0.1:" + server.port());
            assertThat(part(findings, "web pages").grade()).isEqualTo(Grade.OK);
            assertThat(part(findings, "file system").text()).contains("can be written and read");
            assertThat(folder.resolve("data/warehouse")).isEmptyDirectory();
        }
    }

    @Test
    void serverThatDoesNotAnswer() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        long alive = ProcessHandle.current().pid();
        new ServerAddress(alive, "jdbc:hive2://127.0.0.1:" + closed + "/", "http://127.0.0.1:" + closed + "/")
                .write(data);
        assertThat(failures(examine(Map.of())))
                .extracting(Finding::part)
                .containsExactlyInAnyOrder("server", "web pages");
    }

    @Test
    void serverThatWasKilled() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path data = Files.createDirectories(folder.resolve("data"));
        new ServerAddress(ended.pid(), "jdbc:hive2://127.0.0.1:1/", "http://127.0.0.1:1/").write(data);
        Finding finding = part(examine(Map.of()), "server");
        assertThat(finding.grade()).isEqualTo(Grade.WARNING);
        assertThat(finding.remedy().orElseThrow()).contains("start it again");
    }

    @Test
    void portsThatAreTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Finding finding = only(failures(examine(Map.of("hive.server2.thrift.port", port))));
            assertThat(finding.text()).contains("127.0.0.1:" + port);
            assertThat(finding.remedy().orElseThrow()).contains("hive.server2.thrift.port");
            Map<String, String> http =
                    Map.of("hive.server2.transport.mode", "all", "hive.server2.thrift.http.port", port);
            assertThat(only(failures(examine(http))).remedy().orElseThrow()).contains("hive.server2.thrift.http.port");
        }
    }

    @Test
    void wrongSettings() throws Exception {
        Finding finding = only(failures(examine(Map.of("skep.sheduler", "direct"))));
        assertThat(finding.part()).isEqualTo("settings");
        assertThat(finding.text()).contains("did you mean skep.scheduler");
    }

    @Test
    void dataFolderThatCannotBeMade() throws Exception {
        Files.writeString(folder.resolve("data"), "not a folder");
        assertThat(failures(examine(Map.of())))
                .extracting(Finding::part)
                .contains("data folder")
                .doesNotContain("settings");
    }

    @Test
    void warehousesThatCannotBeUsed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        Finding noFolder = only(failures(examine(Map.of("hive.metastore.warehouse.dir", file.toString()))));
        assertThat(noFolder.part()).isEqualTo("file system");
        assertThat(noFolder.text()).contains(file.toString());
        Finding noSystem = only(failures(examine(Map.of("hive.metastore.warehouse.dir", "nosuch://host/warehouse"))));
        assertThat(noSystem.text()).contains("nosuch");
    }

    @Test
    void databaseThatIsNotThere() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        String url = "jdbc:postgresql://127.0.0.1:" + closed + "/hive?password=mine";
        Finding finding = only(failures(examine(Map.of("javax.jdo.option.ConnectionURL", url))));
        assertThat(finding.part()).isEqualTo("metastore");
        assertThat(finding.text())
                .contains("jdbc:postgresql://127.0.0.1:" + closed)
                .doesNotContain("mine");
        assertThat(finding.remedy().orElseThrow()).contains("javax.jdo.option.ConnectionURL");
    }

    @Test
    void findingsTellNoSecrets() throws Exception {
        List<Finding> findings = examine(Map.of(
                "javax.jdo.option.ConnectionURL", "jdbc:nosuch://u:pl4nted@h/db?password=pl4nted",
                "javax.jdo.option.ConnectionPassword", "pl4nted",
                "hive.metastore.warehouse.dir", "nosuch://u:pl4nted@h/warehouse",
                "hive.zookeeper.ssl.keystore.password", "pl4nted"));
        assertThat(failures(findings)).extracting(Finding::part).contains("metastore");
        assertThat(findings).extracting(Finding::toString).noneMatch(text -> text.contains("pl4nted"));
        Finding refused = only(failures(examine(Map.of("skep.llap.rpc.timeout", "x?token=pl4nted"))));
        assertThat(refused.text()).contains("skep.llap.rpc.timeout").doesNotContain("pl4nted");
    }

    @Test
    void partThatHangs() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Check hangs = new Check() {
            @Override
            public String part() {
                return "part";
            }

            @Override
            public List<Finding> run() throws InterruptedException {
                never.await();
                return List.of();
            }
        };
        Finding finding = only(new Doctor(Duration.ofMillis(50)).runChecks(List.of(hangs)));
        assertThat(finding.grade()).isEqualTo(Grade.FAILURE);
        assertThat(finding.text()).contains("did not answer");
    }

    @Test
    void memoryDisksAndOpenFiles() {
        long gb = 1L << 30;
        assertThat(MemoryCheck.judge(8 * gb, 8 * gb, 24 * gb, "memory").grade()).isEqualTo(Grade.OK);
        Finding tooMuch = MemoryCheck.judge(20 * gb, 8 * gb, 24 * gb, "memory");
        assertThat(tooMuch.grade()).isEqualTo(Grade.FAILURE);
        assertThat(tooMuch.text()).contains("4.5 GB too much");
        assertThat(DataFolderCheck.space(folder, gb).grade()).isEqualTo(Grade.WARNING);
        assertThat(JavaCheck.openFiles(1024).grade()).isEqualTo(Grade.WARNING);
    }

    @Test
    void clocksThatDiffer() {
        Instant before = Instant.parse("2026-01-01T00:00:00Z");
        Instant after = before.plusMillis(20);
        assertThat(Clocks.compare("part", before, before.plusMillis(10), after)).isEmpty();
        assertThat(Clocks.compare("part", before, before.minusSeconds(5), after))
                .isEmpty();
        assertThat(Clocks.compare("part", before, before.minusSeconds(60), after)
                        .orElseThrow()
                        .text())
                .contains("60 s behind");
        assertThat(Clocks.compare("part", before, after.plusSeconds(60), after)
                        .orElseThrow()
                        .text())
                .contains("60 s ahead of");
    }

    @Test
    void containersNeedTezOnYarn() throws Exception {
        assertThat(part(examine(Map.of()), "Tez").grade()).isEqualTo(Grade.NOTE);
        for (Map<String, String> asking : List.of(
                Map.of("hive.execution.mode", "container"),
                Map.of("hive.llap.execution.mode", "none"),
                Map.of("skep.tez.containers-when-full", "true"))) {
            Finding refused = only(failures(examine(asking)));
            assertThat(refused.text()).contains("tez.local.mode is true");
            assertThat(refused.remedy().orElseThrow()).contains("tez.local.mode=false");
        }
    }

    @Test
    void tezOnYarnNeedsAFileSystemOfAllNodes() throws Exception {
        Finding files = part(examine(Map.of("tez.local.mode", "false")), "Tez");
        assertThat(files.grade()).isEqualTo(Grade.FAILURE);
        assertThat(files.text()).contains("fs.defaultFS");
    }

    @Test
    void reportEndsWithTheSum() {
        DoctorReport sick = new DoctorReport(
                List.of(Finding.ok("Java", "25"), Finding.failure("server", "does not answer", "start it again")));
        assertThat(sick.healthy()).isFalse();
        assertThat(sick.text().lines())
                .containsExactly(
                        "ok       Java    25",
                        "FAILURE  server  does not answer",
                        "                 fix: start it again",
                        "1 failures, 0 warnings");
        assertThat(new DoctorReport(List.of(Finding.warning("a", "b", "c"))).healthy())
                .isTrue();
    }
}
