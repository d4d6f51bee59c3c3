package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.RecordLimit;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputDecompressor;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests pages whose headers claim wrong sizes. */
final class TestPageCodecs {
    private static final int LIMIT = 8 << 20;

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void aPageIsUnpackedWithinItsBounds(CompressionCodecName name) throws IOException {
        CompressionCodecFactory codecs = new CodecFactory(new Configuration(), 0);
        byte[] plain = new byte[LIMIT];
        BytesInput packed = BytesInput.from(bytes(codecs.getCompressor(name).compress(BytesInput.from(plain))));
        BytesInputDecompressor bounded = new PageCodecs(codecs, new RecordLimit(LIMIT)).getDecompressor(name);
        assertThat(bytes(bounded.decompress(packed, LIMIT))).isEqualTo(plain);
        assertThatThrownBy(() -> bounded.decompress(packed, LIMIT + 1))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        assertThatThrownBy(() -> bounded.decompress(BytesInput.from(new byte[10]), LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("claims");
    }

    private static byte[] bytes(BytesInput input) throws IOException {
        return input.toInputStream().readAllBytes();
    }
}
