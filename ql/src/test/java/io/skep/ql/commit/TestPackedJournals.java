package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class TestPackedJournals {
    /** 300 MB of blanks, in 300 KB. */
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
}
