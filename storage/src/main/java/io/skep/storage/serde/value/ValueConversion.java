package io.skep.storage.serde.value;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorConverters;
import org.jspecify.annotations.Nullable;

/**
 * Converts vectors of one type to another as Hive does when a partition's columns differ from its table's. Values that
 * cannot be converted become null.
 */
public sealed interface ValueConversion {
    Vector convert(Vector vector);

    static ValueConversion of(SqlType from, SqlType to, ZoneId zone) {
        if (sameForm(from, to)) {
            return new Same();
        }
        try {
            ObjectInspector target = HiveTypes.inspector(to, zone);
            return new ByHive(
                    HiveValueReader.of(from, zone),
                    ObjectInspectorConverters.getConverter(HiveTypes.inspector(from, zone), target),
                    HiveValueWriter.of(target),
                    to);
        } catch (RuntimeException e) {
            throw new SkepException(StandardErrorCode.TYPE_MISMATCH, "cannot read " + from + " as " + to, e);
        }
    }

    private static boolean sameForm(SqlType from, SqlType to) {
        Set<PrimitiveType> integers =
                EnumSet.of(PrimitiveType.TINYINT, PrimitiveType.SMALLINT, PrimitiveType.INT, PrimitiveType.BIGINT);
        if (from instanceof PrimitiveType f && to instanceof PrimitiveType t) {
            return f == t
                    || integers.contains(f) && integers.contains(t) && f.compareTo(t) <= 0
                    || f == PrimitiveType.FLOAT && t == PrimitiveType.DOUBLE;
        }
        return from.equals(to);
    }

    /** No conversion, for types with the same representation in a vector. */
    record Same() implements ValueConversion {
        @Override
        public Vector convert(Vector vector) {
            return vector;
        }
    }

    /** Converts row by row through Hive's converter. */
    record ByHive(
            HiveValueReader reader, ObjectInspectorConverters.Converter converter, HiveValueWriter writer, SqlType to)
            implements ValueConversion {
        @Override
        public Vector convert(Vector vector) {
            Vector flat = vector.flatten();
            VectorAppender appender = VectorAppender.of(to);
            for (int row = 0; row < flat.length(); row++) {
                writer.write(converted(reader.read(flat, row)), appender);
            }
            return appender.build();
        }

        private @Nullable Object converted(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            try {
                return converter.convert(value);
            } catch (RuntimeException e) {
                return null;
            }
        }
    }
}
