package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hive.service.rpc.thrift.TBinaryColumn;
import org.apache.hive.service.rpc.thrift.TBoolColumn;
import org.apache.hive.service.rpc.thrift.TByteColumn;
import org.apache.hive.service.rpc.thrift.TColumn;
import org.apache.hive.service.rpc.thrift.TColumnValue;
import org.apache.hive.service.rpc.thrift.TDoubleColumn;
import org.apache.hive.service.rpc.thrift.TI16Column;
import org.apache.hive.service.rpc.thrift.TI32Column;
import org.apache.hive.service.rpc.thrift.TI64Column;
import org.apache.hive.service.rpc.thrift.TRow;
import org.apache.hive.service.rpc.thrift.TStringColumn;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestRowBasedResultSet {
    /** The second of two rows is null. */
    private static ByteBuffer secondIsNull() {
        return ByteBuffer.wrap(new byte[] {2});
    }

    @Test
    void allKindsOfColumnsWithNulls() {
        ByteBuffer bytes = ByteBuffer.wrap("b".getBytes(StandardCharsets.UTF_8));
        List<TRow> rows = RowBasedResultSet.of(
                        7,
                        List.of(
                                TColumn.boolVal(new TBoolColumn(List.of(true, false), secondIsNull())),
                                TColumn.byteVal(new TByteColumn(List.of((byte) 1, (byte) 0), secondIsNull())),
                                TColumn.i16Val(new TI16Column(List.of((short) 2, (short) 0), secondIsNull())),
                                TColumn.i32Val(new TI32Column(List.of(3, 0), secondIsNull())),
                                TColumn.i64Val(new TI64Column(List.of(4L, 0L), secondIsNull())),
                                TColumn.doubleVal(new TDoubleColumn(List.of(5.5, 0.0), secondIsNull())),
                                TColumn.stringVal(new TStringColumn(List.of("s", ""), secondIsNull())),
                                TColumn.binaryVal(
                                        new TBinaryColumn(List.of(bytes, ByteBuffer.allocate(0)), secondIsNull()))))
                .getRows();
        List<TColumnValue> first = rows.get(0).getColVals();
        assertThat(first.get(0).getBoolVal().isValue()).isTrue();
        assertThat(first.get(1).getByteVal().getValue()).isEqualTo((byte) 1);
        assertThat(first.get(2).getI16Val().getValue()).isEqualTo((short) 2);
        assertThat(first.get(3).getI32Val().getValue()).isEqualTo(3);
        assertThat(first.get(4).getI64Val().getValue()).isEqualTo(4);
        assertThat(first.get(5).getDoubleVal().getValue()).isEqualTo(5.5);
        assertThat(first.get(6).getStringVal().getValue()).isEqualTo("s");
        assertThat(first.get(7).getStringVal().getValue()).isEqualTo("b");
        List<TColumnValue> second = rows.get(1).getColVals();
        assertThat(second.get(0).getBoolVal().isSetValue()).isFalse();
        assertThat(second.get(3).getI32Val().isSetValue()).isFalse();
        assertThat(second.get(5).getDoubleVal().isSetValue()).isFalse();
        assertThat(second.get(6).getStringVal().isSetValue()).isFalse();
        assertThat(second.get(7).getStringVal().isSetValue()).isFalse();
    }

    @Test
    void noRows() {
        assertThat(RowBasedResultSet.of(0, List.of(TColumn.i32Val(new TI32Column(List.of(), ByteBuffer.allocate(0)))))
                        .getRows())
                .isEmpty();
    }
}
