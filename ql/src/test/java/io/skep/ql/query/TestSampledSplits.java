package io.skep.ql.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.rel.TableSample;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which splits samples by percent and bytes consist of. */
final class TestSampledSplits {
    private static final long MB = 1 << 20;
    private static final TableFormat FORMAT = new TableFormat("in", "out", "serde", Map.of());

    private static List<Split> splits(long... lengths) {
        List<Split> splits = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            FileVersion file = new FileVersion("f" + i, lengths[i], 1);
            splits.add(new Split(file, 0, lengths[i], FORMAT, List.of(), List.of()));
        }
        return splits;
    }

    private static List<String> chosen(TableSample.Blocks sample, List<Split> all) {
        return SampledSplits.of(sample, all).stream()
                .map(split -> split.file().path() + " " + split.start() + "+" + split.length())
                .toList();
    }

    @Test
    void theLastSplitIsCut() {
        List<Split> all = splits(10 * MB, 10 * MB, 20 * MB);
        assertThat(chosen(new TableSample.Percent(25, 0), all)).containsExactly("f0 0+" + 10 * MB);
        assertThat(chosen(new TableSample.Percent(30, 0), all)).containsExactly("f0 0+" + 10 * MB, "f1 0+" + 2 * MB);
        assertThat(chosen(new TableSample.Bytes(21 * MB, 0), all))
                .containsExactly("f0 0+" + 10 * MB, "f1 0+" + 10 * MB, "f2 0+" + MB);
    }

    @Test
    void theSeedSaysWhereTheSampleBegins() {
        List<Split> all = splits(10 * MB, 10 * MB, 20 * MB);
        assertThat(chosen(new TableSample.Bytes(25 * MB, 2), all)).containsExactly("f2 0+" + 20 * MB, "f0 0+" + 5 * MB);
        assertThat(chosen(new TableSample.Bytes(MB, 4), all)).containsExactly("f1 0+" + MB);
        assertThat(chosen(new TableSample.Bytes(MB, -1), all)).containsExactly("f2 0+" + MB);
        assertThat(chosen(new TableSample.Bytes(MB, Integer.MIN_VALUE), all)).hasSize(1);
    }

    @Test
    void noSplitIsTakenTwice() {
        List<Split> all = splits(10 * MB, 10 * MB, 20 * MB);
        for (int seed = 0; seed < 3; seed++) {
            assertThat(SampledSplits.of(new TableSample.Percent(100, seed), all))
                    .hasSameElementsAs(all)
                    .hasSize(3);
            assertThat(SampledSplits.of(new TableSample.Bytes(Long.MAX_VALUE, seed), all))
                    .hasSize(3);
        }
    }

    @Test
    void smallAndEmptySamples() {
        List<Split> all = splits(100, 200, MB);
        assertThat(chosen(new TableSample.Percent(0, 0), all)).isEmpty();
        assertThat(chosen(new TableSample.Bytes(0, 0), all)).isEmpty();
        assertThat(chosen(new TableSample.Bytes(1, 0), all)).containsExactly("f0 0+100");
        assertThat(chosen(new TableSample.Bytes(1, 2), all)).containsExactly("f2 0+" + SampledSplits.MIN_BYTES);
        assertThat(chosen(new TableSample.Percent(50, 0), List.of())).isEmpty();
    }
}
