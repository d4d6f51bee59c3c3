package io.skep.ql.query;

import io.skep.storage.format.FileFormat;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds to the formats of splits what the session or the site has set for files that do not say it themselves, such as
 * the calendar of dates.
 */
final class ReaderSettings {
    private static final Set<String> NAMES = FileFormats.ALL.stream()
            .map(FileFormat::readerSettings)
            .flatMap(List::stream)
            .collect(Collectors.toSet());

    private final Map<String, String> settings;
    private @Nullable TableFormat last;
    private @Nullable TableFormat lastChanged;

    /** @param settings all that are not Hive's defaults */
    private ReaderSettings(Map<String, String> settings) {
        this.settings = settings;
    }

    static List<Split> apply(List<Split> splits, Map<String, String> settings) {
        if (NAMES.stream().noneMatch(settings::containsKey)) {
            return splits;
        }
        ReaderSettings reader = new ReaderSettings(settings);
        List<Split> changed = new ArrayList<>(splits.size());
        for (Split split : splits) {
            changed.add(split.withFormat(reader.changed(split.format())));
        }
        return changed;
    }

    /** Neighbouring splits are often of the same place. */
    private TableFormat changed(TableFormat format) {
        TableFormat known = lastChanged;
        if (known == null || !format.equals(last)) {
            Map<String, String> properties = new HashMap<>(format.properties());
            for (String name : FileFormats.of(format).readerSettings()) {
                String value = settings.get(name);
                if (value != null) {
                    properties.put(name, value);
                }
            }
            known = new TableFormat(format.inputFormat(), format.outputFormat(), format.serde(), properties);
            last = format;
            lastChanged = known;
        }
        return known;
    }
}
