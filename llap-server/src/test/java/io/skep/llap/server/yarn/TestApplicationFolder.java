package io.skep.llap.server.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.llap.client.yarn.PackageUpload;
import io.skep.llap.client.yarn.PackagedFile;
import io.skep.llap.server.yarn.MasterReport.ReportedDaemon;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestApplicationFolder {
    private static final ContainerMemory MEMORY = ContainerMemory.divide(1L << 30, Optional.empty(), Optional.empty());

    private static final byte[] XML = "<x/>".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path temporary;

    private ApplicationFolder folder;

    @BeforeEach
    void create() {
        org.apache.hadoop.fs.Path path =
                new org.apache.hadoop.fs.Path(temporary.toUri().toString(), "llap/one");
        folder = new ApplicationFolder(path, new Configuration());
        folder.create();
    }

    @Test
    void whatIsWrittenIsReadAndReplaced() {
        assertThat(folder.wanted()).isEmpty();
        assertThat(folder.report()).isEmpty();
        DesiredState wanted = new DesiredState("application_1_2", 3, 4, MEMORY, 5, false);
        folder.want(wanted);
        assertThat(folder.wanted()).contains(wanted);
        folder.want(wanted.withInstances(7));
        assertThat(folder.wanted().map(DesiredState::instances)).contains(7);
        DaemonContainer container = new DaemonContainer("c", "n", 1, DaemonPhase.READY, 2);
        MasterReport report = new MasterReport(
                "application_1_2",
                2,
                List.of(new ReportedDaemon(container, new DaemonAddress("h", 1, 2, 3))),
                List.of("x"),
                9);
        folder.report(report);
        assertThat(folder.report()).contains(report);
        assertThat(report.ready(1)).isEqualTo(1);
        assertThat(report.ready(2)).isZero();
    }

    @Test
    void daemonsAnnounceThemselves() {
        assertThat(folder.announced()).isEmpty();
        DaemonAddress address = new DaemonAddress("host", 1, 2, 3);
        folder.announce("container_1", address);
        assertThat(folder.announced()).containsExactly("container_1");
        assertThat(folder.address("container_1")).contains(address);
        folder.forget("container_1");
        folder.forget("container_1");
        assertThat(folder.announced()).isEmpty();
        assertThat(folder.address("container_1")).isEmpty();
    }

    @Test
    void nothingIsLeftOfADeletedOne() {
        folder.want(new DesiredState("application_1_2", 3, 4, MEMORY, 5, false));
        folder.delete();
        folder.delete();
        assertThat(temporary.resolve("llap/one")).doesNotExist();
        assertThat(folder.announced()).isEmpty();
    }

    @Test
    void anUnchangedFileIsSentOnce() throws Exception {
        Path jar = Files.writeString(temporary.resolve("a.jar"), "jar");
        Path classes = temporary.resolve("classes");
        Files.createDirectories(classes.resolve("p"));
        Files.writeString(classes.resolve("p/C.class"), "class");
        List<PackagedFile> first = folder.upload().send(List.of(jar, classes), Map.of("x.xml", XML));
        assertThat(first)
                .extracting(PackagedFile::link)
                .containsExactly("lib/000-a.jar", "lib/001-classes.jar", "conf/x.xml");
        PackageUpload again = folder.upload();
        assertThat(again.send(List.of(jar, classes), Map.of("x.xml", XML))).isEqualTo(first);
        assertThat(again.text()).startsWith("0 files");
        Files.writeString(classes.resolve("p/C.class"), "other");
        PackageUpload changed = folder.upload();
        List<PackagedFile> second = changed.send(List.of(jar, classes), Map.of("x.xml", XML));
        assertThat(changed.text()).startsWith("1 files");
        assertThat(second.get(0)).isEqualTo(first.get(0));
        assertThat(second.get(1).path()).isNotEqualTo(first.get(1).path());
        // Files in use are kept.
        for (PackagedFile file : first) {
            assertThat(Path.of(java.net.URI.create(file.path()))).isRegularFile();
        }
        assertThat(Files.readAllBytes(Path.of(java.net.URI.create(first.get(2).path()))))
                .isEqualTo(XML);
        try (Stream<Path> all = Files.walk(temporary.resolve("llap"))) {
            assertThat(all.map(path -> path.getFileName().toString()))
                    .noneMatch(name -> name.matches("\\..*[0-9a-f]{12}"));
        }
    }
}
