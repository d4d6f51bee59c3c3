package io.skep.ql.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.metastore.system.SystemTables;
import io.skep.ql.physical.TableLayouts;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.table.TableLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a read that ends early, or has no rows. What it contains is tested by queries. */
final class TestSystemRowFile {
    private static final TableLayout LAYOUT =
            TableLayouts.of(SystemTables.find("sys", "dbs").orElseThrow().definition());

    @TempDir
    private Path folder;

    private SystemRowFile open() {
        FormatRegistry formats = new FormatRegistry(new HadoopFileSystem(new Configuration(false)), ZoneOffset.UTC);
        return new SystemRowFile(LAYOUT, List.of(2, 0), formats, "file:" + folder.resolve("rows.orc"));
    }

    @Test
    void withoutRowsThereIsNone() {
        try (SystemRowFile file = open()) {
            assertThat(file.finish()).isEmpty();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void rowsAfterTheEndAreRefusedAndLeaveNothing() {
        SystemRowFile file = open();
        for (int i = 0; i < 5000; i++) {
            file.row(Arrays.asList("name" + i, (long) i));
        }
        file.close();
        assertThatThrownBy(() -> file.row(Arrays.asList(null, 1L))).isInstanceOf(SkepException.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFinishedFileStays() {
        try (SystemRowFile file = open()) {
            file.row(Arrays.asList(null, 1L));
            assertThat(file.finish()).isPresent();
        }
        assertThat(Files.exists(folder.resolve("rows.orc"))).isTrue();
    }
}
