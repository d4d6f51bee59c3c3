package io.skep.ql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.rel.TableSample;
import io.skep.storage.acid.SeenWriteIds;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which files a view of an insert-only table has seen: those of write ids to 10, but for 7 and 8. */
final class TestWrittenSplits {
    private static final TableFormat FORMAT = new TableFormat("in", "out", "serde", Map.of());
    private static final List<String> PLACES = List.of("file:/w/base_99/t/p=1", "file:///w/base_99/t/p=2/");

    private static boolean isLater(String path) {
        boolean later = isChosen(path, true);
        assertThat(isChosen(path, false)).isEqualTo(!later);
        return later;
    }

    private static boolean isChosen(String path, boolean later) {
        Split split = new Split(new FileVersion(path, 5, 1), 0, 5, FORMAT, List.of(), List.of());
        TableSample.Writes writes = new TableSample.Writes(new SeenWriteIds(10, List.of(7L, 8L)), later);
        return !WrittenSplits.of(writes, PLACES, List.of(split)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:/w/base_99/t/p=1/000000_0",
                "file:/w/base_99/t/p=2/sub/000000_0",
                "file:/w/base_99/t/p=2/base_0000006_v0000040/000000_0",
                "file:///w/base_99/t/p=2/delta_0000010_0000010_0000/000000_0",
                "file:/w/base_99/t/p=1/delta_0000009_0000010_v0000040/delta_0000020_0000020/000000_0",
            })
    void earlier(String path) {
        assertThat(isLater(path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:/w/base_99/t/p=1/delta_0000011_0000011_0000/000000_0",
                "file:/w/base_99/t/p=1/delta_0000011_0000020_v0000040/sub/000000_0",
                "file:/w/base_99/t/p=2/delta_0000007_0000007_0000/000000_0",
                "file:/w/base_99/t/p=2/delta_0000007_0000008/000000_0",
            })
    void later(String path) {
        assertThat(isLater(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:/w/base_99/t/p=1/base_0000007/000000_0",
                "file:/w/base_99/t/p=1/base_0000011/000000_0",
                "file:/w/base_99/t/p=1/delta_0000006_0000007/000000_0",
                "file:/w/base_99/t/p=1/delta_0000010_0000011_v0000040/000000_0",
                "file:/w/base_99/t/p=1/delta_0000007_0000011_v0000040/000000_0",
                "file:/w/base_99/t/p=3/000000_0",
                "000000_0",
            })
    void unclear(String path) {
        for (boolean later : new boolean[] {true, false}) {
            assertThatThrownBy(() -> isChosen(path, later))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TABLE_CHANGED));
        }
    }

    @Test
    void allLaterOnesOfARange() {
        Split split = new Split(
                new FileVersion("file:/t/delta_0000009_0000012/000000_0", 5, 1), 0, 5, FORMAT, List.of(), List.of());
        TableSample.Writes writes = new TableSample.Writes(new SeenWriteIds(10, List.of(9L, 10L)), true);
        assertThat(WrittenSplits.of(writes, List.of("file:/t"), List.of(split))).containsExactly(split);
    }
}
