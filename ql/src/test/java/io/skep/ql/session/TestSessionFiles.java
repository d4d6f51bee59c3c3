package io.skep.ql.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.ScriptFile;
import io.skep.ql.session.SessionFiles.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSessionFiles {
    @TempDir
    private Path folder;

    private final SessionFiles files =
            new SessionFiles(new SettingRules(KnownSettings.NONE, Map.of("skep.session.max-jars-size", "10b")));

    private void refused(StandardErrorCode code, Kind kind, Path path) {
        assertThatThrownBy(() -> files.add(kind, path))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void filesAndArchivesAreKept() throws IOException {
        Path script = Files.writeString(folder.resolve("a b.py"), "12345");
        Path archive = Files.writeString(folder.resolve("x.zip"), "12345");
        files.add(Kind.FILE, script);
        files.add(Kind.FILE, script);
        files.add(Kind.ARCHIVE, archive);
        assertThat(files.paths(Kind.FILE)).isEqualTo(List.of(script.toString()));
        assertThat(files.paths(Kind.ARCHIVE)).isEqualTo(List.of(archive.toString()));
        assertThat(files.ofScripts())
                .isEqualTo(List.of(
                        new ScriptFile(script.toUri().toString(), false),
                        new ScriptFile(archive.toUri().toString(), true)));
        assertThat(files.ofScripts().getFirst().name()).isEqualTo("a b.py");
        files.remove(Kind.FILE, script);
        files.remove(Kind.FILE, archive);
        assertThat(files.isEmpty()).isFalse();
        files.remove(Kind.ARCHIVE, archive);
        assertThat(files.isEmpty()).isTrue();
    }

    @Test
    void whatCannotBeUsedIsRefused() throws IOException {
        refused(StandardErrorCode.MISSING_FILE, Kind.FILE, folder.resolve("none"));
        refused(StandardErrorCode.INVALID_PATH, Kind.FILE, folder);
        refused(StandardErrorCode.DISK_FULL, Kind.FILE, Files.writeString(folder.resolve("large"), "12345678901"));
        files.add(Kind.FILE, Files.writeString(folder.resolve("one"), "1"));
        Path other = Files.createDirectory(folder.resolve("other"));
        refused(StandardErrorCode.INVALID_PATH, Kind.ARCHIVE, Files.writeString(other.resolve("one"), "1"));
        refused(StandardErrorCode.DISK_FULL, Kind.FILE, Files.writeString(folder.resolve("two"), "1234567890"));
    }
}
