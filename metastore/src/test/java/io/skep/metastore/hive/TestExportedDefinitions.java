package io.skep.metastore.hive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.TypeParser;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.hive.ExportedDefinitions.Exported;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that definitions come back, and that other bytes are refused. */
class TestExportedDefinitions {
    private static StorageDescriptor storage(String location) {
        return new StorageDescriptor(
                List.of(
                        new FieldSchema("a", PrimitiveType.INT, Optional.of("the \"first\"")),
                        new FieldSchema("m", TypeParser.parse("map<string,array<int>>"), Optional.empty())),
                location,
                new TableFormat("in", "out", "serde", Map.of("field.delim", "\u0001", "x", "ü")),
                false,
                2,
                List.of("a"),
                List.of(new StorageDescriptor.SortColumn("a", true)),
                StorageDescriptor.Skew.NONE);
    }

    private static Exported sample() {
        Table table = new Table(
                Table.NO_ID,
                "d",
                "t",
                Table.TableKind.MANAGED_TABLE,
                "owner",
                false,
                7,
                0,
                List.of(new FieldSchema("p", PrimitiveType.STRING, Optional.empty())),
                storage("file:/t"),
                Map.of("comment", "c", "bucketing_version", "2"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new Exported(
                table, List.of(new Partition(List.of("x/y"), 8, 0, storage("file:/t/p"), Map.of("k", "v"))));
    }

    @Test
    void definitionsComeBack() {
        assertThat(ExportedDefinitions.decode(ExportedDefinitions.encode(sample())))
                .isEqualTo(sample());
    }

    @Test
    void otherVersionsAreRefused() {
        assertThatThrownBy(() -> ExportedDefinitions.decode("{\"version\":\"1.0\"}".getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }

    private static void refuses(String text) {
        assertThatThrownBy(() -> ExportedDefinitions.decode(text.getBytes(UTF_8)))
                .as(text.substring(0, Math.min(200, text.length())))
                .isInstanceOf(SkepException.class);
    }

    @Test
    void claimsAreNotBelieved() {
        String text = new String(ExportedDefinitions.encode(sample()), UTF_8);
        for (String claim : List.of("\\\"rec\\\",2,", "\\\"str\\\",\\\"str\\\",2,", "\\\"str\\\",1,")) {
            assertThat(text).contains(claim);
            refuses(text.replace(claim, claim.replaceAll("[12],$", "2000000000,")));
            refuses(text.replace(claim, claim.replaceAll("[12],$", "-1,")));
        }
        String nested = "{\\\"1\\\":{\\\"rec\\\":".repeat(100_000);
        refuses("{\"version\":\"0.2\",\"table\":\"" + nested + "\",\"partitions\":[]}");
        refuses("[".repeat(100_000));
        refuses("{\"version\":\"0.2\"}");
        refuses("{\"version\":\"0.2\",\"table\":7,\"partitions\":[]}");
        refuses("{\"version\":\"0.2\",\"table\":\"{}\",\"partitions\":[]}");
        refuses("");
    }

    @Test
    void damagedBytesAreReadOrRefused() {
        byte[] whole = ExportedDefinitions.encode(sample());
        Random random = new Random(11);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            try {
                assertThat(ExportedDefinitions.decode(damaged).table()).isNotNull();
            } catch (SkepException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
        for (int length = 0; length < whole.length; length++) {
            refuses(new String(whole, 0, length, UTF_8));
        }
    }
}
