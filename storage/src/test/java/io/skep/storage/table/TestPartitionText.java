package io.skep.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.VarcharType;
import org.junit.jupiter.api.Test;

class TestPartitionText {
    @Test
    void hasHivesForm() {
        assertThat(PartitionText.of("TRUE", PrimitiveType.BOOLEAN)).isEqualTo("true");
        assertThat(PartitionText.of("ab", new CharType(4))).isEqualTo("ab  ");
        assertThat(PartitionText.of("", new CharType(2))).isEqualTo("  ");
        assertThat(PartitionText.of("\ud83d\ude00", new CharType(2))).isEqualTo("\ud83d\ude00 ");
        assertThat(PartitionText.of("1.50", new DecimalType(6, 2))).isEqualTo("1.5");
        assertThat(PartitionText.of("100.00", new DecimalType(6, 2))).isEqualTo("100");
        assertThat(PartitionText.of("0.00", new DecimalType(6, 2))).isEqualTo("0");
        assertThat(PartitionText.of("100", new DecimalType(6, 0))).isEqualTo("100");
    }

    @Test
    void keepsOtherTexts() {
        assertThat(PartitionText.of("AB ", new VarcharType(9))).isEqualTo("AB ");
        assertThat(PartitionText.of("TRUE", PrimitiveType.STRING)).isEqualTo("TRUE");
        assertThat(PartitionText.of("1.50", PrimitiveType.STRING)).isEqualTo("1.50");
        assertThat(PartitionText.of("10.0", PrimitiveType.DOUBLE)).isEqualTo("10.0");
    }
}
