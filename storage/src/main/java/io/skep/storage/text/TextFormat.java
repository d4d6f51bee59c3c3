package io.skep.storage.text;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FooterLines;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.lazy.LazySerDeParameters;
import org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe;

/**
 * The layout of a text table's lines, as Hive's SerDe reads it from the table's properties.
 *
 * @param parameters the parameters of Hive's lazy objects
 * @param headerLines lines to skip at the start of each file
 * @param footerLines lines to skip at the end of each file
 */
record TextFormat(LazySerDeParameters parameters, Charset charset, int headerLines, int footerLines) {
    /** Hive's setting of whether t, f, 1 and 0 are booleans too. */
    static final String BOOLEAN_LITERALS = "hive.lazysimple.extended_boolean_literal";

    static TextFormat of(TableFormat format, List<Column> columns) {
        Properties properties = new Properties();
        properties.putAll(format.properties());
        properties.setProperty("columns", columns.stream().map(Column::name).collect(Collectors.joining(",")));
        properties.setProperty(
                "columns.types",
                columns.stream().map(column -> column.type().displayName()).collect(Collectors.joining(":")));
        Configuration settings = new Configuration(false);
        settings.set(BOOLEAN_LITERALS, properties.getProperty(BOOLEAN_LITERALS, "false"));
        try {
            LazySerDeParameters parameters =
                    new LazySerDeParameters(settings, properties, LazySimpleSerDe.class.getName());
            return new TextFormat(
                    parameters,
                    charset(properties.getProperty("serialization.encoding", "UTF-8")),
                    lines(properties, "skip.header.line.count"),
                    FooterLines.checked(lines(properties, FooterLines.PROPERTY)));
        } catch (SerDeException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "the table's text format is wrong: " + e.getMessage(), e);
        }
    }

    private static Charset charset(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "serialization.encoding '" + name + "' is not known", e);
        }
    }

    private static int lines(Properties properties, String key) {
        String text = properties.getProperty(key, "0");
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, key + " is '" + text + "', not a number", e);
        }
    }

    boolean isUtf8() {
        return charset.equals(StandardCharsets.UTF_8);
    }

    byte fieldDelimiter() {
        return parameters.getSeparators()[0];
    }

    boolean isNull(byte[] data, int from, int count) {
        byte[] bytes = parameters.getNullSequence().getBytes();
        int length = parameters.getNullSequence().getLength();
        return count == length && Arrays.equals(data, from, from + count, bytes, 0, length);
    }
}
