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

/** An argument of a call of Hive's classes: its type, and its value if it is a constant. */
public record HiveArgument(SqlType type, @Nullable Datum constant) {
    /** Returns the inspector with which the class is initialized. A constant has a constant inspector. */
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
