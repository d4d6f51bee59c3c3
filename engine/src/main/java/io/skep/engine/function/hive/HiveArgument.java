package io.skep.engine.function.hive;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import java.time.ZoneId;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils;
import org.jspecify.annotations.Nullable;

/** An argument of a call into Hive's classes: its type, and its value where it is a constant. */
public record HiveArgument(SqlType type, @Nullable Datum constant) {
    /** The inspector that the class is initialized with; constants come as constant inspectors. */
    ObjectInspector inspector(ZoneId zone) {
        ObjectInspector inspector = HiveTypes.inspector(type, zone);
        if (constant == null
                || type == PrimitiveType.VOID
                || !ObjectInspectorUtils.supportsConstantObjectInspector(inspector)) {
            return inspector;
        }
        Object value = HiveValueReader.of(type, zone).read(constant.toVector(type), 0);
        return ObjectInspectorUtils.getConstantObjectInspector(inspector, value);
    }
}
