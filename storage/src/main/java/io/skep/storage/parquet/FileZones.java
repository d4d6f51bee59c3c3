package io.skep.storage.parquet;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.FileMetaData;

/**
 * How a file's writer stored dates and timestamps, according to the notes in the file and interpreted as in Hive. INT96
 * timestamps of parquet-mr are instants of a wall clock in the writer's zone. Those of other writers show UTC. Dates
 * of parquet-mr without a note use the old calendar, unless a setting says otherwise.
 *
 * @param int96 the zone whose wall clock INT96 values are shown in
 * @param server the zone of this server
 */
record FileZones(ZoneId int96, ZoneId server, boolean prolepticDates) {
    static final ZoneId UTC = ZoneOffset.UTC;

    /** Hive's setting of whether dates of files without a note are in the proleptic calendar. */
    static final String PROLEPTIC_DATES = "hive.parquet.date.proleptic.gregorian.default";

    /** @param properties of the format of a split */
    static FileZones of(FileMetaData metadata, Map<String, String> properties, ZoneId server) {
        Map<String, String> notes = metadata.getKeyValueMetaData();
        String creator = metadata.getCreatedBy() == null ? "" : metadata.getCreatedBy();
        boolean byHadoop = creator.startsWith("parquet-mr");
        String zone = notes.get("writer.time.zone");
        ZoneId int96 = !byHadoop ? UTC : zone == null ? server : ZoneId.of(zone).normalized();
        String proleptic = notes.getOrDefault("writer.date.proleptic", properties.get(PROLEPTIC_DATES));
        return new FileZones(int96, server, proleptic == null ? !byHadoop : Boolean.parseBoolean(proleptic));
    }

    /** Returns the seconds by which the zone's wall clock is ahead of UTC at an instant. */
    static int offsetSeconds(ZoneId zone, long epochSecond) {
        return zone.equals(UTC)
                ? 0
                : zone.getRules().getOffset(Instant.ofEpochSecond(epochSecond)).getTotalSeconds();
    }
}
