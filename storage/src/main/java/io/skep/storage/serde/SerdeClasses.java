package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.format.InputFormats;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ReflectionUtils;

/** Creates instances of the classes that a table format names. */
final class SerdeClasses {
    /** Classes of Hive that have moved, or that a class of Skep replaces. Tables have the old names. */
    private static final Map<String, String> RENAMED = Map.of(
            "org.apache.hadoop.hive.serde2.OpenCSVSerde", CsvSerde.class.getName(),
            "org.apache.hive.hcatalog.data.JsonSerDe", "org.apache.hadoop.hive.serde2.JsonSerDe",
            "org.apache.hadoop.hive.contrib.serde2.MultiDelimitSerDe",
                    "org.apache.hadoop.hive.serde2.MultiDelimitSerDe",
            "org.apache.hadoop.hive.contrib.serde2.RegexSerDe", "org.apache.hadoop.hive.serde2.RegexSerDe");

    private SerdeClasses() {}

    /** Returns the present name of a class that may have another one in an old table. */
    static String present(String serde) {
        return RENAMED.getOrDefault(serde, serde);
    }

    /** Returns the properties that initialize a SerDe. */
    static Properties properties(TableFormat format, List<Column> columns) {
        Properties properties = new Properties();
        properties.putAll(format.properties());
        properties.setProperty("columns", columns.stream().map(Column::name).collect(Collectors.joining(",")));
        properties.setProperty(
                "columns.types",
                columns.stream().map(column -> column.type().displayName()).collect(Collectors.joining(":")));
        properties.putIfAbsent("columns.comments", "\0".repeat(Math.max(0, columns.size() - 1)));
        properties.putIfAbsent("serialization.lib", format.serde());
        return properties;
    }

    static AbstractSerDe serde(TableFormat format, Properties properties, JobConf job) {
        AbstractSerDe serde = make(present(format.serde()), AbstractSerDe.class, job);
        try {
            serde.initialize(job, properties, null);
            return serde;
        } catch (SerDeException | RuntimeException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "SerDe " + format.serde() + " does not take the table's properties: " + e.getMessage(),
                    e);
        }
    }

    /** @throws SkepException NOT_SUPPORTED for an input format whose rows are not those of all files of a folder */
    static InputFormat<?, ?> inputFormat(TableFormat format, JobConf job) {
        InputFormat<?, ?> made = make(format.inputFormat(), InputFormat.class, job);
        if (InputFormats.choosesFiles(made.getClass())) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the input format " + format.inputFormat()
                                    + " chooses the files of a table itself, which is not supported")
                    .withHint("the rows of files that it leaves out would be wrong");
        }
        return made;
    }

    static <T> T make(String className, Class<T> type, JobConf job) {
        try {
            return type.cast(ReflectionUtils.newInstance(job.getClassByName(className), job));
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "there is no " + type.getSimpleName() + " " + className,
                            e)
                    .withHint("add the jar that holds it");
        }
    }
}
