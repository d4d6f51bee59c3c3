package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.commit.CommitJournal.Change;
import io.skep.ql.commit.CommitJournal.Direction;
import io.skep.ql.commit.CommitJournal.Entry;
import io.skep.storage.table.TableFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class TestPackedJournals {
    /** 300 MB of spaces, packed into 300 KB. */
    @Test
    void aJournalThatUnpacksWithoutEndIsDamaged() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            byte[] blanks = " ".repeat(1 << 20).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            for (int i = 0; i < 300; i++) {
                out.write(blanks);
            }
        }
        assertThatThrownBy(() -> CommitJournalCodec.unpack(packed.toByteArray()))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE))
                .hasMessageContaining("unpacks to more");
    }

    /** A journal of a server from before partitions had formats is the same as one without formats. */
    @Test
    void formatsAreSaidOnlyWhereTheyChange() {
        Entry plain = new Entry("d", "t", "p=1", "file:/t/p=1", Change.CHANGED);
        byte[] without = CommitJournalCodec.encode(journal(plain));
        assertThat(new String(without, StandardCharsets.UTF_8)).doesNotContain("formats");
        assertThat(CommitJournalCodec.decode(without)).isEqualTo(journal(plain));
        TableFormat before = new TableFormat("in", "out", "serde", Map.of("field.delim", ";"));
        TableFormat after = new TableFormat("in2", "out2", "serde2", Map.of());
        Entry changed = new Entry("d", "t", "p=1", "file:/t/p=1", Change.CHANGED, List.of(before, after));
        assertThat(CommitJournalCodec.decode(CommitJournalCodec.encode(journal(changed))))
                .isEqualTo(journal(changed));
    }

    private static CommitJournal journal(Entry entry) {
        return new CommitJournal("q", Direction.FORWARD, List.of(), List.of(), List.of(entry), List.of(), List.of(), 0);
    }
}
