package io.skep.mapred;

import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/** Values of Arrow's vectors as the objects that {@link LlapRow} has. */
final class ArrowValues {
    private ArrowValues() {}

    static @Nullable Object get(FieldVector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        return switch (vector.getMinorType()) {
            case BIT -> ((BitVector) vector).get(row) != 0;
            case VARCHAR -> new String(((VarCharVector) vector).get(row), StandardCharsets.UTF_8);
            case DATEDAY -> Date.valueOf(LocalDate.ofEpochDay(((DateDayVector) vector).get(row)));
            case TIMESTAMPMICRO -> timestamp(((TimeStampMicroVector) vector).getObject(row));
            case TIMESTAMPMICROTZ -> Instant.EPOCH.plus(((TimeStampMicroTZVector) vector).get(row), ChronoUnit.MICROS);
            case LIST -> list((ListVector) vector, row);
            case MAP -> map((MapVector) vector, row);
            case STRUCT -> struct((StructVector) vector, row);
            default -> vector.getObject(row);
        };
    }

    private static Timestamp timestamp(LocalDateTime time) {
        return Timestamp.valueOf(time);
    }

    private static List<@Nullable Object> list(ListVector list, int row) {
        FieldVector elements = list.getDataVector();
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = list.getElementStartIndex(row); i < list.getElementEndIndex(row); i++) {
            values.add(get(elements, i));
        }
        return values;
    }

    private static Map<@Nullable Object, @Nullable Object> map(MapVector map, int row) {
        StructVector entries = (StructVector) map.getDataVector();
        FieldVector keys = entries.getChildrenFromFields().get(0);
        FieldVector values = entries.getChildrenFromFields().get(1);
        Map<@Nullable Object, @Nullable Object> read = new LinkedHashMap<>();
        for (int i = map.getElementStartIndex(row); i < map.getElementEndIndex(row); i++) {
            read.put(get(keys, i), get(values, i));
        }
        return read;
    }

    private static List<@Nullable Object> struct(StructVector struct, int row) {
        List<@Nullable Object> values = new ArrayList<>();
        for (FieldVector field : struct.getChildrenFromFields()) {
            values.add(get(field, row));
        }
        return values;
    }
}
