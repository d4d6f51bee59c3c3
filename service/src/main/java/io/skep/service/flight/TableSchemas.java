package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.llap.server.arrow.ArrowTypes;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.service.metadata.JdbcType;
import io.skep.service.metadata.MetadataQueries;
import io.skep.service.metadata.ServerName;
import io.skep.service.metadata.ShownCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.arrow.flight.sql.FlightSqlColumnMetadata;
import org.apache.arrow.vector.extension.OpaqueType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Adds the columns of tables to the rows of a list of tables. A column is described as JDBC's metadata does it: name of
 * the type, digits, comment. Serves one call, which runs on one thread at a time.
 */
final class TableSchemas implements MetadataAnswer.Rows {
    /** The key of a column's comment, which the library has no method for. */
    private static final String REMARKS = "ARROW:FLIGHT:SQL:REMARKS";

    private static final int DATABASE = 1;
    private static final int TABLE = 2;
    private static final int TYPE = 3;

    private final ShownCatalog catalog;

    TableSchemas(ShownCatalog catalog) {
        this.catalog = catalog;
    }

    /** Leaves out a table that was dropped since it was listed. */
    @Override
    public Optional<List<Datum>> of(List<Datum> row) {
        return catalog.table(row.get(DATABASE).toString(), row.get(TABLE).toString())
                .map(table -> List.of(
                        row.get(0),
                        row.get(DATABASE),
                        row.get(TABLE),
                        row.get(TYPE),
                        new Datum.OfBytes(schema(table).serializeAsMessage())));
    }

    private Schema schema(Table table) {
        Set<String> required = MetadataQueries.requiredColumns(catalog, table);
        List<Field> fields = new ArrayList<>();
        Stream.concat(table.columns().stream(), table.partitionKeys().stream())
                .forEach(column -> fields.add(field(table, column, !required.contains(column.name()))));
        return new Schema(fields);
    }

    private static Field field(Table table, FieldSchema column, boolean nullable) {
        JdbcType described = JdbcType.of(column.type());
        String typeName = MetadataQueries.typeName(column.type(), described);
        FlightSqlColumnMetadata.Builder builder = new FlightSqlColumnMetadata.Builder()
                .catalogName("")
                .schemaName(table.database())
                .tableName(table.name())
                .typeName(typeName)
                .isAutoIncrement(false)
                .isCaseSensitive(described.isCaseSensitive())
                .isReadOnly(false)
                .isSearchable(described.searchable() != 0);
        described.size().ifPresent(builder::precision);
        described.digits().ifPresent(builder::scale);
        Map<String, String> metadata = new HashMap<>(builder.build().getMetadataMap());
        column.comment().ifPresent(comment -> metadata.put(REMARKS, comment));
        Field type = type(column.name(), column.type());
        metadata.putAll(type.getMetadata());
        return new Field(column.name(), new FieldType(nullable, type.getType(), null, metadata), type.getChildren());
    }

    /** Returns an opaque type for columns whose values Arrow cannot have. */
    private static Field type(String name, SqlType type) {
        try {
            return ArrowTypes.schema(List.of(name), List.of(type)).getFields().getFirst();
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.NOT_SUPPORTED) {
                throw e;
            }
            OpaqueType opaque = new OpaqueType(ArrowType.Null.INSTANCE, type.displayName(), ServerName.PRODUCT);
            return new Field(name, FieldType.nullable(opaque), List.of());
        }
    }
}
