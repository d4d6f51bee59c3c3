package io.skep.service.flight;

import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What of a field decides about its buffers and its meaning. Names inside of lists and maps do not count, since
 * libraries have their own; those of fields of structs do.
 *
 * @param name empty inside of lists and maps
 */
record ArrowForm(String name, ArrowType type, @Nullable DictionaryEncoding dictionary, List<ArrowForm> children) {
    static List<ArrowForm> of(Schema schema) {
        return schema.getFields().stream().map(field -> of(field, true, false)).toList();
    }

    private static ArrowForm of(Field field, boolean named, boolean isEntry) {
        boolean hasNames = field.getType() instanceof ArrowType.Struct && !isEntry;
        boolean isMap = field.getType() instanceof ArrowType.Map;
        return new ArrowForm(
                named ? field.getName() : "",
                field.getType(),
                field.getDictionary(),
                field.getChildren().stream()
                        .map(child -> of(child, hasNames, isMap))
                        .toList());
    }
}
