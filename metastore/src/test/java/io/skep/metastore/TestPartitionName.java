package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hive.metastore.utils.FileUtils;
import org.junit.jupiter.api.Test;

/** Compares names with those that Hive's own class builds. */
final class TestPartitionName {
    private static final List<String> KEYS = List.of("ds", "Name");

    @Test
    void namesAreHives() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            List<String> values = List.of(text(random), text(random));
            String name = PartitionName.of(KEYS, values);
            assertThat(name).as("seed %d", seed).isEqualTo(FileUtils.makePartName(KEYS, values));
            assertThat(PartitionName.values(name)).as("seed %d", seed).isEqualTo(withoutEmpty(values));
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(6);
        for (int i = 0; i < length; i++) {
            text.append((char) random.nextInt(random.nextInt(10) == 0 ? 0xd000 : 0x90));
        }
        return text.toString();
    }

    private static List<String> withoutEmpty(List<String> values) {
        List<String> stored = new ArrayList<>();
        for (String value : values) {
            stored.add(value.isEmpty() ? PartitionName.DEFAULT_PARTITION : value);
        }
        return stored;
    }

    @Test
    void everyCharacterIsEscapedAsHiveDoes() {
        for (char c = 0; c < 0x300; c++) {
            assertThat(PartitionName.escape("a" + c)).isEqualTo(FileUtils.escapePathName("a" + c));
        }
    }

    @Test
    void whatIsNoEscapeStaysAsItIs() {
        assertThat(PartitionName.unescape("100%")).isEqualTo("100%");
        assertThat(PartitionName.unescape("%zz%4")).isEqualTo("%zz%4");
        assertThat(PartitionName.unescape("a%20b%2Fc")).isEqualTo("a b/c");
    }

    @Test
    void keysComeFromTheTable() {
        Table table = table("db", "t", columns("a", "int"), columns("ds", "string", "h", "int"));
        assertThat(PartitionName.of(table, List.of("2020", "7"))).isEqualTo("ds=2020/h=7");
        assertThatThrownBy(() -> PartitionName.of(table, List.of("2020"))).isInstanceOf(IllegalArgumentException.class);
    }
}
