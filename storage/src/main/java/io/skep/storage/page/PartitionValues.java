package io.skep.storage.page;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.storage.serde.value.ValueConversion;
import io.skep.storage.table.Column;
import java.time.ZoneId;

/** Partition values from the text in which the metastore keeps them, as Hive converts text to a column's type. */
public final class PartitionValues {
    private final ZoneId zone;

    /** @param zone of the server, for instants */
    public PartitionValues(ZoneId zone) {
        this.zone = zone;
    }

    public ZoneId zone() {
        return zone;
    }

    /** Null when the text is no value of the column's type. */
    public Datum parse(String text, Column column) {
        if (column.type() == PrimitiveType.STRING) {
            return Datum.ofText(text);
        }
        ValueConversion conversion = ValueConversion.of(PrimitiveType.STRING, column.type(), zone);
        Vector converted = conversion.convert(Datum.ofText(text).toVector(PrimitiveType.STRING));
        return Datum.of(converted, 0, column.type());
    }
}
