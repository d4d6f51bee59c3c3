package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.table.TableFormat;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.metadata.HiveStorageHandler;
import org.apache.hadoop.hive.ql.plan.TableDesc;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Hive's storage handlers: classes of a site that give an input format and a SerDe for rows that another system keeps,
 * such as HBase or a database with a JDBC driver. They are on the class path of the server.
 */
public final class StorageHandlers {
    /** The properties with which Hive's handler for JDBC makes its connections. */
    private static final String JDBC_PROPERTIES = "hive.sql.";

    /** Without a transaction, PostgreSQL's driver keeps all rows of an answer in memory, whatever the fetch size. */
    private static final String JDBC_AUTO_COMMIT = "hive.sql.dbcp.defaultAutoCommit";

    private static final int SPLITS = 1;

    private final HadoopFileSystem files;

    public StorageHandlers(HadoopFileSystem files) {
        this.files = files;
    }

    /**
     * Returns the class of the SerDe of a handler's rows.
     *
     * @throws SkepException SEMANTIC_ERROR when there is no such handler
     */
    public String serde(String handler) {
        return load(handler, job()).getSerDeClass().getName();
    }

    /**
     * Reads the rows of a table.
     *
     * @param wanted the columns to read, by position
     * @param zone the time zone for texts of type timestamp with local time zone
     */
    public BatchIterator read(HandlerTable table, List<Integer> wanted, ZoneId zone) {
        JobConf job = job();
        HiveStorageHandler handler = load(table.handler(), job);
        try {
            Properties properties = properties(table, handler);
            configure(job, handler, properties);
            FileInputFormat.setInputPaths(job, new Path(table.location()));
            List<String> names = wanted.stream()
                    .map(column -> table.columns().get(column).name())
                    .toList();
            ColumnProjectionUtils.setReadColumns(job, new ArrayList<>(wanted));
            job.set(ColumnProjectionUtils.READ_COLUMN_NAMES_CONF_STR, String.join(",", names));
            AbstractSerDe serde = ReflectionUtils.newInstance(handler.getSerDeClass(), job);
            serde.initialize(job, properties, null);
            InputFormat<?, ?> format = ReflectionUtils.newInstance(handler.getInputFormatClass(), job);
            InputSplit[] splits = format.getSplits(job, SPLITS);
            StructObjectInspector rows = (StructObjectInspector) serde.getObjectInspector();
            List<SerdeColumn> columns = SerdeColumn.of(rows, wanted, table.columns(), zone);
            return new HandlerBatches<>(table, format, List.of(splits), job, serde, columns);
        } catch (Exception | LinkageError e) {
            throw failed(table, e);
        }
    }

    /** Translates what a handler has thrown, whose code is not ours. */
    static SkepException failed(HandlerTable table, Throwable cause) {
        if (cause instanceof SkepException e) {
            return e;
        }
        String reason = cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
        return new SkepException(
                StandardErrorCode.STORAGE_HANDLER_FAILED,
                "cannot read " + table.name() + " by its storage handler " + table.handler() + ": " + reason,
                cause);
    }

    private JobConf job() {
        return new JobConf(files.configuration());
    }

    /**
     * Makes a storage handler.
     *
     * @throws SkepException SEMANTIC_ERROR when there is none of the name
     */
    public static HiveStorageHandler load(String handler, Configuration configuration) {
        try {
            Class<?> found = Class.forName(handler, true, StorageHandlers.class.getClassLoader());
            return ReflectionUtils.newInstance(found.asSubclass(HiveStorageHandler.class), configuration);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new SkepException(StandardErrorCode.SEMANTIC_ERROR, "Cannot find class '" + handler + "'", e)
                    .withHint("the storage handler has to be on the class path of the server");
        } catch (RuntimeException e) {
            throw new SkepException(
                    StandardErrorCode.SEMANTIC_ERROR, handler + " is not a storage handler: " + e.getMessage(), e);
        }
    }

    private static Properties properties(HandlerTable table, HiveStorageHandler handler) {
        TableFormat format = new TableFormat("", "", handler.getSerDeClass().getName(), table.properties());
        Properties properties = SerdeClasses.properties(format, table.columns());
        properties.setProperty("name", table.name());
        properties.setProperty("location", table.location());
        if (properties.stringPropertyNames().stream().anyMatch(name -> name.startsWith(JDBC_PROPERTIES))) {
            properties.putIfAbsent(JDBC_AUTO_COMMIT, "false");
        }
        return properties;
    }

    /** Sets what Hive gives to the input format: the table's properties, and those that the handler makes of them. */
    private static void configure(JobConf job, HiveStorageHandler handler, Properties properties) throws IOException {
        TableDesc description =
                new TableDesc(handler.getInputFormatClass(), handler.getOutputFormatClass(), properties);
        Map<String, String> made = new HashMap<>();
        handler.configureInputJobProperties(description, made);
        Map<String, String> secrets = new HashMap<>();
        handler.configureInputJobCredentials(description, secrets);
        description.setJobProperties(made);
        handler.configureJobConf(description, job);
        properties.stringPropertyNames().forEach(name -> job.set(name, properties.getProperty(name)));
        made.forEach(job::set);
        secrets.forEach((name, value) -> {
            job.set(name, value);
            properties.setProperty(name, value);
        });
    }
}
