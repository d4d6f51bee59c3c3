package io.skep.ql.compaction;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.storage.compaction.PartitionState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * When a table or partition needs a compaction, by Hive's rules.
 *
 * @param deltas more deltas than this need a compaction
 * @param deltaShare deltas of more than this share of the base's size need a major one
 * @param aborts more aborted transactions than this need a major one
 * @param abortAge an aborted transaction of this age needs a major one
 */
public record CompactionThresholds(int deltas, double deltaShare, int aborts, Duration abortAge) {
    /** How the names of table properties begin that change a threshold for the table. */
    private static final String OF_TABLE = "compactorthreshold.";

    static final Property<Integer> DELTAS = new Property<>(
            "hive.compactor.delta.num.threshold",
            PropertyType.integer(1, Integer.MAX_VALUE),
            "10",
            "More deltas than this in a table or partition need a minor compaction. The table property "
                    + "compactorthreshold.hive.compactor.delta.num.threshold changes it for a table.");
    static final Property<Double> DELTA_SHARE = new Property<>(
            "hive.compactor.delta.pct.threshold",
            new PropertyType<>("a number above 0", CompactionThresholds::share),
            "0.1",
            "Deltas whose size is more than this share of the base's need a major compaction. The table property "
                    + "compactorthreshold.hive.compactor.delta.pct.threshold changes it for a table.");
    static final Property<Integer> ABORTS = new Property<>(
            "hive.compactor.abortedtxn.threshold",
            PropertyType.integer(0, Integer.MAX_VALUE),
            "1000",
            "More aborted transactions than this in a table or partition need a major compaction, or are cleaned up.");
    static final Property<Duration> ABORT_AGE = new Property<>(
            "hive.compactor.aborted.txn.time.threshold",
            PropertyType.time(Duration.ofHours(1)),
            "12h",
            "Age of an aborted transaction at which its table or partition needs a major compaction, or is cleaned "
                    + "up.");

    private static double share(String text) {
        double share = Double.parseDouble(text.strip());
        if (!(share > 0) || Double.isInfinite(share)) {
            throw new IllegalArgumentException();
        }
        return share;
    }

    static CompactionThresholds of(SettingsReader settings) {
        return new CompactionThresholds(
                settings.read(DELTAS), settings.read(DELTA_SHARE), settings.read(ABORTS), settings.read(ABORT_AGE));
    }

    /**
     * Returns the thresholds of a table.
     *
     * @throws IllegalArgumentException when a property of the table is no number
     */
    private CompactionThresholds of(Map<String, String> properties) {
        String number = properties.get(OF_TABLE + DELTAS.name());
        String percent = properties.get(OF_TABLE + DELTA_SHARE.name());
        return new CompactionThresholds(
                number == null ? deltas : DELTAS.type().parse(number),
                percent == null ? deltaShare : DELTA_SHARE.type().parse(percent),
                aborts,
                abortAge);
    }

    /**
     * Returns the compaction that a table or partition needs.
     *
     * @param properties the table's properties
     * @param isInsertOnly whether deltas of the table are as good as a base
     * @throws IllegalArgumentException when a threshold among the properties is not valid
     */
    public Optional<CompactionKind> needed(
            PartitionState partition, Map<String, String> properties, boolean isInsertOnly) {
        CompactionThresholds own = of(properties);
        long base = partition.baseBytes();
        long delta = partition.deltaBytes();
        boolean hasBase = base > 0 || delta == 0;
        if (hasBase && base > 0 && (double) delta / base > own.deltaShare) {
            return Optional.of(CompactionKind.MAJOR);
        }
        if (partition.state().deltas().size() <= own.deltas) {
            return Optional.empty();
        }
        // Without a base a major compaction reads the same files and leaves fewer.
        return Optional.of(hasBase && !isInsertOnly ? CompactionKind.MINOR : CompactionKind.MAJOR);
    }
}
