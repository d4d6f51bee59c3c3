package io.skep.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The data source {@code skep}: {@code spark.read.format("skep").option("url", ...).option("table", "db.t")}. */
public final class SkepSource implements TableProvider, DataSourceRegister {
    @Override
    public String shortName() {
        return "skep";
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        SkepOptions known = SkepOptions.ofSource(options);
        Source source = SkepOptions.source(options);
        try (ServerConnection server = ServerConnection.open(known)) {
            return server.columns(source);
        }
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(properties);
        return new SkepTable(SkepOptions.ofSource(options), SkepOptions.source(options), schema, false);
    }
}
