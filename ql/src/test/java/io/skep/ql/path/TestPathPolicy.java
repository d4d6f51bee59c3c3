package io.skep.ql.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.CatalogFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests paths as names, and which of them statements may use. */
final class TestPathPolicy {
    private static final TextPosition POSITION = new TextPosition(3, 7);

    @TempDir
    private Path folder;

    private Path data;
    private PathPolicy policy;

    @BeforeEach
    void open() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(data.resolve("warehouse/t"));
        policy = new PathPolicy(PathConfig.of(data, "file:" + data.resolve("warehouse")), "file:/");
    }

    private void refused(StandardErrorCode code, String path) {
        assertThatThrownBy(() -> policy.check(path, POSITION))
                .as(path)
                .isInstanceOfSatisfying(SkepException.class, e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e.fullMessage()).contains("Line 3:7");
                });
    }

    /** These file systems reach protected local folders, or make the server send requests to other machines. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "har://file-localhost/a/x.har/b",
                "har:/a/x.har",
                "http://169.254.169.254/latest",
                "HTTPS://inner/x",
                "ftp://inner/x",
                "webhdfs://nn:9870/a",
                "viewfs+x://a/b",
            })
    void fileSystemsThatAreNotNamedAreRefused(String path) {
        refused(StandardErrorCode.ACCESS_DENIED, path);
    }

    @Test
    void fileSystemsAreNamedByASetting() {
        PathConfig config = PathConfig.of(data, "webhdfs://nn:9870/warehouse").withSchemes(List.of("har"));
        policy = new PathPolicy(config, "file:/");
        assertThat(policy.check("har://file-localhost/a/x.har/b", POSITION)).isNotEmpty();
        // The warehouse's own file system, and the default one.
        assertThat(policy.check("webhdfs://nn:9870/a", POSITION)).isNotEmpty();
        assertThat(policy.check("/a", POSITION)).isEqualTo("file:/a");
        refused(StandardErrorCode.ACCESS_DENIED, "hdfs://nn/a");
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b, file:/a/b",
        "/a//b/, file:/a/b",
        "/a/./b/../c, file:/a/c",
        "/../../a, file:/a",
        "file:/a/b, file:/a/b",
        "file:///a/b/, file:/a/b",
        "hdfs://nn:8020/a/../b, hdfs://nn:8020/b",
        "hdfs://nn:8020, hdfs://nn:8020/",
        "s3a://bucket/a%41 b, s3a://bucket/a%41 b",
    })
    void aPathIsMadeAbsolute(String given, String expected) {
        assertThat(policy.check(given, POSITION)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "", "file:a", "hdfs:a/b", "mailto:x"})
    void aRelativePathIsRefused(String path) {
        refused(StandardErrorCode.INVALID_PATH, path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a\tb", "/a\n", "/a/\u0000", "/a\u007f", "/a\u0085b", "file:/a\rb", "\t"})
    void controlCharactersAreRefused(String path) {
        refused(StandardErrorCode.INVALID_PATH, path);
    }

    @Test
    void theMessageShowsWhichCharacter() {
        assertThatThrownBy(() -> policy.check("/k\tb", POSITION))
                .hasMessageContaining("'/k\\u0009b'")
                .hasMessageContaining("character 3");
    }

    @Test
    void foldersOfTheServerAreClosed() {
        for (String path : List.of("", "/commits", "/commits/x.journal", "/metastore", "/spill/../tez", "/new")) {
            refused(StandardErrorCode.ACCESS_DENIED, data + path);
            refused(StandardErrorCode.ACCESS_DENIED, "file://" + data + path);
            refused(StandardErrorCode.ACCESS_DENIED, "FILE:" + data + path);
        }
        refused(StandardErrorCode.ACCESS_DENIED, data + "/warehouse/../commits");
        refused(StandardErrorCode.ACCESS_DENIED, folder.toString());
        refused(StandardErrorCode.ACCESS_DENIED, "/");
    }

    @Test
    void theWarehouseInItIsOpen() {
        assertThat(policy.check(data + "/warehouse/t", POSITION)).isEqualTo("file:" + data + "/warehouse/t");
        assertThat(policy.check(data + "/warehouse", POSITION)).isEqualTo("file:" + data + "/warehouse");
        assertThat(policy.check(data + "-2/commits", POSITION)).isEqualTo("file:" + data + "-2/commits");
        refused(StandardErrorCode.ACCESS_DENIED, data + "/warehouse-2");
    }

    @Test
    void aWarehouseAroundTheDataFolderOpensNothing() {
        policy = new PathPolicy(PathConfig.of(data, "file:" + folder), "file:/");
        refused(StandardErrorCode.ACCESS_DENIED, data + "/commits");
        assertThat(policy.check(folder + "/t", POSITION)).isEqualTo("file:" + folder + "/t");
    }

    @Test
    void symbolicLinksAreFollowed() throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), data);
        Files.createSymbolicLink(folder.resolve("up"), folder);
        Files.createDirectories(data.resolve("commits"));
        Files.createSymbolicLink(data.resolve("warehouse/out"), data.resolve("commits"));
        refused(StandardErrorCode.ACCESS_DENIED, folder + "/link/commits/new");
        refused(StandardErrorCode.ACCESS_DENIED, folder + "/up/data/new/er");
        refused(StandardErrorCode.ACCESS_DENIED, data + "/warehouse/out/x");
        assertThat(policy.isLink("file:" + folder + "/up")).isTrue();
        assertThat(policy.isLink("file:" + folder + "/up/data")).isFalse();
    }

    @Test
    void otherFileSystemsAreOthers() {
        String path = "hdfs://nn:8020" + data + "/commits";
        assertThat(policy.check(path, POSITION)).isEqualTo(path);
    }

    @Test
    void foldersOfCommitsAreClosed() {
        refused(StandardErrorCode.ACCESS_DENIED, data + "/warehouse/t/.skep-staging-q1/0");
    }

    @Test
    void localFilesAreBoundToRoots() throws IOException {
        Path root = Files.createDirectories(folder.resolve("root"));
        policy = new PathPolicy(new PathConfig(List.of(), List.of(), List.of(root)), "hdfs://nn:8020/");
        assertThat(policy.check("file:" + root + "/a", POSITION)).isEqualTo("file:" + root + "/a");
        assertThat(policy.check("/etc", POSITION)).isEqualTo("hdfs://nn:8020/etc");
        refused(StandardErrorCode.ACCESS_DENIED, "file:/etc");
        refused(StandardErrorCode.ACCESS_DENIED, "file:" + root + "2");
        refused(StandardErrorCode.ACCESS_DENIED, "file:" + root + "/..");
        assertThatThrownBy(() -> policy.check("/etc", true, POSITION)).isInstanceOf(SkepException.class);
    }

    @Test
    void warehousesAreOpenBesideTheRoots() throws IOException {
        Path root = Files.createDirectories(folder.resolve("root"));
        PathConfig config =
                PathConfig.of(data, "file:" + data.resolve("warehouse")).withLocalRoots(List.of(root));
        policy = new PathPolicy(config, "file:/");
        assertThat(policy.check(data + "/warehouse/t", POSITION)).isEqualTo("file:" + data + "/warehouse/t");
        refused(StandardErrorCode.ACCESS_DENIED, data + "/commits");
        refused(StandardErrorCode.ACCESS_DENIED, folder + "/elsewhere");
    }

    @Test
    void furtherFoldersCanBeClosed() throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        policy = new PathPolicy(PathConfig.of(data).withClosedFolder(conf), "file:/");
        refused(StandardErrorCode.ACCESS_DENIED, conf + "/hive-site.xml");
        refused(StandardErrorCode.ACCESS_DENIED, conf.toString());
        assertThat(policy.check(folder + "/conf2", POSITION)).isEqualTo("file:" + folder + "/conf2");
    }

    @Test
    void filesThatTheServerReadsItselfAreJudgedTheSameWay() throws IOException {
        Path root = Files.createDirectories(folder.resolve("a root"));
        policy = new PathPolicy(PathConfig.of(data).withLocalRoots(List.of(root)), "hdfs://nn:8020/");
        assertThat(policy.checkedLocal(root + "/x.jar", POSITION)).isEqualTo(root.resolve("x.jar"));
        assertThat(policy.checkedLocal(root.resolve("x.jar").toUri().toString(), POSITION))
                .isEqualTo(root.resolve("x.jar"));
        Files.createSymbolicLink(root.resolve("link"), data);
        Map.of(
                        data + "/x.jar",
                        StandardErrorCode.ACCESS_DENIED,
                        root + "/link/x.jar",
                        StandardErrorCode.ACCESS_DENIED,
                        "/etc/x.jar",
                        StandardErrorCode.ACCESS_DENIED,
                        "x.jar",
                        StandardErrorCode.ACCESS_DENIED,
                        root + "/x\n.jar",
                        StandardErrorCode.INVALID_PATH,
                        "file:x y",
                        StandardErrorCode.INVALID_PATH,
                        "hdfs://nn:8020/x.jar",
                        StandardErrorCode.MISSING_FILE)
                .forEach((path, code) -> assertThatThrownBy(() -> policy.checkedLocal(path, POSITION))
                        .as(path)
                        .isInstanceOfSatisfying(
                                SkepException.class, e -> assertThat(e.code()).isEqualTo(code)));
    }

    @ParameterizedTest
    @CsvSource({
        "file:/a/b, file:/a/b, true",
        "file:/a, file:///a/b, true",
        "file:/a/b/c, /a/b, true",
        "file:/a/b, file:/a/bc, false",
        "file:/a/b, hdfs://nn/a/b, false",
        "hdfs://nn/a, hdfs://NN:8020/a/b, true",
        "hdfs://nn/a, hdfs://other/a, false",
        "hdfs:/a, hdfs://nn:9000/a, false",
    })
    void pathsAreComparedNameByName(String one, String other, boolean overlap) {
        assertThat(policy.overlapping(one, List.of(other)).isPresent()).isEqualTo(overlap);
        assertThat(policy.overlapping(other, List.of(one)).isPresent()).isEqualTo(overlap);
    }

    @Test
    void aPathWithoutNameNodeIsOfTheDefaultOne() {
        policy = new PathPolicy(new PathConfig(List.of(), List.of(), List.of()), "hdfs://nn:8020/");
        assertThat(policy.overlapping("hdfs:/a", List.of("hdfs://nn/a/b"))).isPresent();
        assertThat(policy.overlapping("/a", List.of("hdfs:///a/b"))).isPresent();
        assertThat(policy.overlapping("file:/a", List.of("/a"))).isEmpty();
    }

    @Test
    void foldersHaveOwners() throws IOException {
        Files.createSymbolicLink(folder.resolve("to-t"), data.resolve("warehouse/t"));
        FolderOwners owners = new FolderOwners(
                List.of(
                        new CatalogFolder("default", "", "file:" + data + "/warehouse"),
                        new CatalogFolder("default", "t", "file:" + data + "/warehouse/t"),
                        new CatalogFolder("default", "odd", "no path at all"),
                        new CatalogFolder("d", "p", "file:/elsewhere/p=1")),
                policy);
        assertThat(owners.tableHolding("file:" + data + "/warehouse/t/0")
                        .orElseThrow()
                        .owner())
                .isEqualTo("table default.t");
        assertThat(owners.tableHolding("file:" + folder + "/to-t/0")).isPresent();
        assertThat(owners.tableHolding("file:" + data + "/warehouse")).isEmpty();
        assertThat(owners.tableHolding("file:/elsewhere/p=12")).isEmpty();
        assertThat(owners.overlapping("file:/elsewhere")).isPresent();
        assertThat(owners.overlapping("file:" + data + "/warehouse")
                        .orElseThrow()
                        .owner())
                .isEqualTo("database default");
        assertThat(owners.overlapping("file:" + data + "/warehouse/free")).isEmpty();
    }
}
