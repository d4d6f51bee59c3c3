package io.skep.storage.page;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.storage.serde.value.ValueConversion;
import io.skep.storage.table.Column;
import java.time.ZoneId;

/** Parses partition values from the text in the metastore, with Hive's conversion from text to the column's type. */
public final class PartitionValues {
    private final ZoneId zone;

    /** @param zone the server's time zone, for instants */
    public PartitionValues(ZoneId zone) {
        this.zone = zone;
    }

    public ZoneId zone() {
        return zone;
    }

    /** Returns null when the text is not a valid value of the column's type. */
    public Datum parse(String text, Column column) {
        if (column.type() == PrimitiveType.STRING) {
            return Datum.ofText(text);
        }
        ValueConversion conversion = ValueConversion.of(PrimitiveType.STRING, column.type(), zone);
        Vector converted = conversion.convert(Datum.ofText(text).toVector(PrimitiveType.STRING));
        return Datum.of(converted, 0, column.type());
    }
}
