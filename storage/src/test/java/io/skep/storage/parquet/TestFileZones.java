package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests what the notes of a file say about its dates and timestamps. */
class TestFileZones {
    private static final ZoneId SERVER = ZoneId.of("Europe/Berlin");

    private static FileZones zones(@Nullable String creator, Map<String, String> notes) {
        return zones(creator, notes, Map.of());
    }

    private static FileZones zones(
            @Nullable String creator, Map<String, String> notes, Map<String, String> properties) {
        return FileZones.of(new FileMetaData(new MessageType("m"), notes, creator), properties, SERVER);
    }

    @Test
    void hivesFilesNameTheirZone() {
        FileZones zones = zones("parquet-mr version 1.13", Map.of("writer.time.zone", "America/New_York"));
        assertThat(zones.int96()).isEqualTo(ZoneId.of("America/New_York"));
        assertThat(zones.server()).isEqualTo(SERVER);
    }

    @Test
    void filesOfTheLibraryWithoutANoteAreOfTheServersZone() {
        assertThat(zones("parquet-mr version 1.8", Map.of()).int96()).isEqualTo(SERVER);
    }

    @Test
    void filesOfOthersShowUtc() {
        assertThat(zones("impala version 4", Map.of()).int96()).isEqualTo(FileZones.UTC);
        assertThat(zones("DuckDB", Map.of("writer.time.zone", "America/New_York"))
                        .int96())
                .isEqualTo(FileZones.UTC);
        assertThat(zones(null, Map.of()).int96()).isEqualTo(FileZones.UTC);
    }

    @Test
    void theCalendarOfDates() {
        assertThat(zones("parquet-mr version 1.8", Map.of()).prolepticDates()).isFalse();
        assertThat(zones("DuckDB", Map.of()).prolepticDates()).isTrue();
        Map<String, String> proleptic = Map.of("hive.parquet.date.proleptic.gregorian.default", "true");
        assertThat(zones("parquet-mr version 1.8", Map.of(), proleptic).prolepticDates())
                .isTrue();
        assertThat(zones("parquet-mr", Map.of("writer.date.proleptic", "false"), proleptic)
                        .prolepticDates())
                .isFalse();
        assertThat(zones("parquet-mr", Map.of("writer.date.proleptic", "true")).prolepticDates())
                .isTrue();
        assertThat(zones("parquet-mr", Map.of("writer.date.proleptic", "false")).prolepticDates())
                .isFalse();
    }

    @Test
    void zonesThatDoNotExistAreReported() {
        assertThatThrownBy(() -> zones("parquet-mr", Map.of("writer.time.zone", "Nowhere/Land")))
                .isInstanceOf(DateTimeException.class);
    }

    @Test
    void offsetsFollowTheSeasons() {
        long winter = Instant.parse("2024-01-01T00:00:00Z").getEpochSecond();
        long summer = Instant.parse("2024-07-01T00:00:00Z").getEpochSecond();
        assertThat(FileZones.offsetSeconds(SERVER, winter)).isEqualTo(3600);
        assertThat(FileZones.offsetSeconds(SERVER, summer)).isEqualTo(7200);
        assertThat(FileZones.offsetSeconds(FileZones.UTC, summer)).isZero();
    }
}
