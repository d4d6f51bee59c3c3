package io.skep.engine.function.hive;

import io.skep.common.concurrent.Interruption;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Growth;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.table.TableFunction;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import io.skep.storage.serde.value.HiveValueWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDTF;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.jspecify.annotations.Nullable;

/**
 * One of Hive's UDTFs, called row by row. A UDTF pushes its output rows. The rows of a call are collected, and counted
 * in the meantime.
 */
public final class HiveTableFunction implements TableFunction {
    /** The bytes of text in a batch after which no more rows are processed for it. */
    private static final long ENOUGH_TEXT = 4 << 20;

    private final String name;
    private final GenericUDTF function;
    private final HiveSession session;
    private final List<HiveValueReader> readers = new ArrayList<>();
    private final StructObjectInspector result;
    private final StructType rowType;
    private final List<HiveValueWriter> writers = new ArrayList<>();
    private final List<VectorAppender> columns = new ArrayList<>();
    private Vector[] arguments = new Vector[0];
    private int rows;
    private int at;
    private int[] inputRows = new int[Batch.TARGET_ROWS];
    private int produced;

    public HiveTableFunction(String name, GenericUDTF function, List<HiveArgument> arguments, HiveSession session) {
        this.name = name;
        this.function = function;
        this.session = session;
        this.result = initialize(arguments);
        this.rowType = (StructType) HiveTypes.type(result);
        arguments.forEach(argument -> readers.add(HiveValueReader.of(argument.type(), session.zone())));
        for (StructField field : result.getAllStructFieldRefs()) {
            writers.add(HiveValueWriter.of(field.getFieldObjectInspector()));
        }
        rowType.fields().forEach(field -> columns.add(VectorAppender.of(field.type())));
        function.setCollector(this::collect);
    }

    private StructObjectInspector initialize(List<HiveArgument> arguments) {
        List<String> names = new ArrayList<>();
        List<ObjectInspector> inspectors = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            names.add("_col" + i);
            inspectors.add(arguments.get(i).inspector(session.zone()));
        }
        try (HiveSession.Scope _ = session.enter()) {
            function.configure(session.taskContext());
            return function.initialize(ObjectInspectorFactory.getStandardStructObjectInspector(names, inspectors));
        } catch (UDFArgumentException | RuntimeException | LinkageError e) {
            throw HiveErrors.refused(name, e);
        }
    }

    public List<String> columnNames() {
        return rowType.fields().stream().map(StructType.Field::name).toList();
    }

    public List<SqlType> columnTypes() {
        return rowType.fields().stream().map(StructType.Field::type).toList();
    }

    @Override
    public void start(Vector[] newArguments, int newRows) {
        arguments = newArguments.clone();
        rows = newRows;
        at = 0;
    }

    /**
     * Calls the class for the input rows that are needed to fill a batch. One call may produce any number of rows,
     * which are counted.
     */
    @Override
    public Rows next() {
        produced = 0;
        try (HiveSession.Scope _ = session.enter()) {
            while (at < rows && produced < Batch.TARGET_ROWS && textBytes() < ENOUGH_TEXT) {
                Interruption.check();
                process(at++);
            }
        } catch (HiveException | RuntimeException | LinkageError e) {
            buildColumns();
            throw HiveErrors.failed(name, e);
        }
        return rows(at);
    }

    private void process(int row) throws HiveException {
        long passing = CallMemory.ofTableFunction(name, arguments, row);
        ScratchMemory.count(passing);
        @Nullable Object[] values = new Object[arguments.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = readers.get(i).read(arguments[i], row);
        }
        function.process(values);
        ScratchMemory.discount(passing);
    }

    private long textBytes() {
        long bytes = 0;
        for (VectorAppender column : columns) {
            bytes += column.textBytes();
        }
        return bytes;
    }

    private Rows rows(int completed) {
        int[] of = inputRows;
        inputRows = new int[Batch.TARGET_ROWS];
        return new Rows(of, produced, completed, buildColumns());
    }

    @Override
    public Rows finish() {
        produced = 0;
        at = rows;
        try (HiveSession.Scope _ = session.enter()) {
            function.close();
        } catch (HiveException | RuntimeException | LinkageError e) {
            buildColumns();
            throw HiveErrors.failed(name, e);
        }
        return rows(rows);
    }

    private List<Vector> buildColumns() {
        return columns.stream().map(VectorAppender::build).toList();
    }

    private void collect(Object row) {
        Interruption.check();
        List<? extends StructField> fields = result.getAllStructFieldRefs();
        for (int i = 0; i < fields.size(); i++) {
            writers.get(i).write(result.getStructFieldData(row, fields.get(i)), columns.get(i));
        }
        if (produced == inputRows.length) {
            inputRows = Growth.doubled(inputRows);
        }
        // The position has already moved past the row that is processed.
        inputRows[produced++] = at - 1;
    }
}
