package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestLeasedNames {
    private static final Table TABLE = LeasedNames.of("default", "t");

    /** Interrupted commits to folders are finished before the others. */
    @Test
    void foldersAreNoTables() {
        assertThat(LeasedNames.areNoTables(List.of())).isTrue();
        assertThat(LeasedNames.areNoTables(List.of(LeasedNames.FOLDERS))).isTrue();
        assertThat(LeasedNames.areNoTables(List.of(TABLE))).isFalse();
        assertThat(LeasedNames.areNoTables(List.of(TABLE, LeasedNames.FOLDERS))).isFalse();
    }
}
