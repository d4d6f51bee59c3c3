package io.skep.storage.serde;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.OpenCSVSerde;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.SerDeUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.jspecify.annotations.Nullable;

/**
 * Hive's SerDe of CSV, which reads lines as Hive 4.0.1 does. Hive's present class has another parser: it refuses a line
 * with a quote that is not closed, and with it all rows of the table, and takes escaped separators into values.
 */
public final class CsvSerde extends AbstractSerDe {
    private final OpenCSVSerde hive = new OpenCSVSerde();
    private CsvLine line = new CsvLine(',', '"', '\\');
    private Charset charset = StandardCharsets.UTF_8;
    private List<@Nullable String> row = List.of();

    @Override
    public void initialize(@Nullable Configuration configuration, Properties table, @Nullable Properties partition)
            throws SerDeException {
        super.initialize(configuration, table, partition);
        hive.initialize(configuration, table, partition);
        char escape = character(OpenCSVSerde.ESCAPECHAR, '"');
        // As in Hive's class, a double quote stands for the parser's own character, the backslash.
        line = new CsvLine(
                character(OpenCSVSerde.SEPARATORCHAR, ','),
                character(OpenCSVSerde.QUOTECHAR, '"'),
                escape == '"' ? '\\' : escape);
        charset = Charset.forName(properties.getProperty(serdeConstants.SERIALIZATION_ENCODING, "UTF-8"));
        row = new ArrayList<>();
        getColumnNames().forEach(name -> row.add(null));
    }

    private char character(String name, char absent) {
        String text = properties.getProperty(name);
        return text == null || text.isEmpty() ? absent : text.charAt(0);
    }

    @Override
    public ObjectInspector getObjectInspector() throws SerDeException {
        return hive.getObjectInspector();
    }

    @Override
    public Class<? extends Writable> getSerializedClass() {
        return hive.getSerializedClass();
    }

    @Override
    public Writable serialize(Object values, ObjectInspector inspector) throws SerDeException {
        return hive.serialize(values, inspector);
    }

    /** Returns the row, which the next call changes. Columns without a value are null. */
    @Override
    public Object deserialize(Writable text) {
        List<String> values =
                line.values(SerDeUtils.transformTextToUTF8((Text) text, charset).toString());
        for (int i = 0; i < row.size(); i++) {
            row.set(i, i < values.size() ? values.get(i) : null);
        }
        return row;
    }
}
