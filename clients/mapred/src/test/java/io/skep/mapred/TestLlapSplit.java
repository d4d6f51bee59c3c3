package io.skep.mapred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.reader.ExternalSplit;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits travel through files of jobs. */
final class TestLlapSplit {
    private static final Schema COLUMNS = new Schema(List.of(
            field("Day", new ArrowType.Date(DateUnit.DAY)),
            field("at", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC")),
            new Field(
                    "list",
                    FieldType.nullable(ArrowType.List.INSTANCE),
                    List.of(field("item", new ArrowType.Decimal(9, 2, 128))))));

    private static Field field(String name, ArrowType type) {
        return new Field(name, FieldType.nullable(type), List.of());
    }

    private static LlapSplit read(DataOutputBuffer written) throws IOException {
        DataInputBuffer in = new DataInputBuffer();
        in.reset(written.getData(), written.getLength());
        LlapSplit split = new LlapSplit();
        split.readFields(in);
        return split;
    }

    @Test
    void aCopyHasSchemaAndHosts() throws IOException {
        LlapSplit split = new LlapSplit(new ExternalSplit(
                new byte[] {1, 2, 3},
                List.of(
                        URI.create("grpc+tls://b.example:1"),
                        URI.create("grpc+tls://a.example:1"),
                        URI.create("grpc+tls://b.example:2")),
                COLUMNS.serializeAsMessage(),
                true));
        DataOutputBuffer written = new DataOutputBuffer();
        split.write(written);
        LlapSplit copy = read(written);
        assertThat(copy.getLocations()).containsExactly("b.example", "a.example");
        assertThat(copy.split().ticket()).containsExactly(1, 2, 3);
        assertThat(copy.schema().typeNames())
                .containsExactly("date", "timestamp with local time zone", "array<decimal(9,2)>");
        assertThat(copy.schema().indexOf("dAY")).isZero();
        assertThatThrownBy(() -> copy.schema().indexOf("night"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("night");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, (16 << 20) + 1, Integer.MAX_VALUE})
    void aLengthFromOutsideIsNotBelieved(int length) throws IOException {
        DataOutputBuffer written = new DataOutputBuffer();
        written.writeInt(length);
        assertThatThrownBy(() -> read(written)).isInstanceOf(IOException.class).hasMessageContaining("damaged");
    }

    @Test
    void bytesThatAreNoSplitAreAnError() throws IOException {
        DataOutputBuffer written = new DataOutputBuffer();
        written.writeInt(2);
        written.write(new byte[] {-1, -1});
        LlapSplit damaged = read(written);
        assertThatThrownBy(damaged::getLocations)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
    }
}
