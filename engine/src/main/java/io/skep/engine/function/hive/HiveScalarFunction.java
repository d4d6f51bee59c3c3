package io.skep.engine.function.hive;

import io.skep.common.concurrent.Interruption;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import io.skep.storage.serde.value.HiveValueWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.SettableUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF.DeferredObject;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.jspecify.annotations.Nullable;

/**
 * One of Hive's GenericUDFs, run row by row. Simple UDFs are wrapped in a GenericUDF. Hive's classes keep their last
 * arguments and their last result in buffers that never shrink and that no memory account counts. Therefore a built-in
 * function is replaced by a new instance of its class after a long value.
 */
public final class HiveScalarFunction implements ScalarFunction {
    /** The length in bytes above which a value is not left in the buffers of an instance. */
    private static final long LONG_VALUE = 1 << 20;

    private final String name;
    private final List<HiveArgument> types;
    private final @Nullable SqlType target;
    private final HiveSession session;
    private final SqlType type;
    private final Argument[] arguments;
    private final VectorAppender appender;
    private GenericUDF function;
    private HiveValueWriter writer;

    /**
     * Binds a new instance of a class.
     *
     * @param target the type to set if the class requires it (casts to types with parameters)
     */
    public HiveScalarFunction(
            String name, GenericUDF function, List<HiveArgument> types, @Nullable SqlType target, HiveSession session) {
        this.name = name;
        this.types = List.copyOf(types);
        this.target = target;
        this.session = session;
        this.function = function;
        ObjectInspector result = PerThread.call(() -> initialize(function));
        this.type = HiveTypes.type(result);
        this.writer = HiveValueWriter.of(result);
        this.appender = VectorAppender.of(type);
        this.arguments = new Argument[types.size()];
        makeReaders();
    }

    private void makeReaders() {
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = new Argument(HiveValueReader.of(types.get(i).type(), session.zone()));
        }
    }

    private ObjectInspector initialize(GenericUDF function) {
        try (HiveSession.Scope _ = session.enter()) {
            if (target != null && function instanceof SettableUDF settable) {
                settable.setTypeInfo(HiveTypes.typeInfo(target, session.zone()));
            }
            function.configure(session.taskContext());
            ObjectInspector[] inspectors = new ObjectInspector[types.size()];
            for (int i = 0; i < inspectors.length; i++) {
                inspectors[i] = types.get(i).inspector(session.zone());
            }
            return function.initialize(inspectors);
        } catch (ClassCastException e) {
            throw HiveErrors.wrongTypes(
                    name, types.stream().map(HiveArgument::type).toList(), e);
        } catch (UDFArgumentException | RuntimeException | LinkageError e) {
            throw HiveErrors.refused(name, e);
        }
    }

    public SqlType type() {
        return type;
    }

    /** Whether the function returns the same results in all queries. */
    public boolean foldable() {
        try (HiveSession.Scope _ = session.enter()) {
            return deterministic() && !FunctionRegistry.isRuntimeConstant(function);
        }
    }

    @Override
    public boolean deterministic() {
        // The answers are annotations of the function's class, which Hive finds through the session.
        try (HiveSession.Scope _ = session.enter()) {
            return FunctionRegistry.isDeterministic(function) && !FunctionRegistry.isStateful(function);
        }
    }

    @Override
    public Vector evaluate(Vector[] vectors, int rows) {
        long passing = CallMemory.check(name, vectors, rows);
        ScratchMemory.count(passing);
        try {
            Vector result = evaluateRows(vectors, rows);
            if (isLong(result) || Arrays.stream(vectors).anyMatch(HiveScalarFunction::isLong)) {
                renew();
            }
            return result;
        } finally {
            ScratchMemory.discount(passing);
        }
    }

    private static boolean isLong(Vector vector) {
        if (vector.retainedBytes() <= LONG_VALUE) {
            return false;
        }
        if (!(vector instanceof BytesVector texts)) {
            return true;
        }
        for (int row = 0; row < texts.length(); row++) {
            if (texts.lengths()[row] > LONG_VALUE && !texts.isNull(row)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean hasSideEffects() {
        return HiveFunctions.isOfUser(name);
    }

    /**
     * Drops the buffers of the instance by replacing it. Does nothing if a new instance might behave differently: a
     * user's function may keep more than buffers.
     */
    private void renew() {
        if (HiveFunctions.isOfUser(name) || !deterministic()) {
            return;
        }
        close();
        GenericUDF fresh = PerThread.call(() -> FunctionRegistry.cloneGenericUDF(function));
        ObjectInspector result = PerThread.call(() -> initialize(fresh));
        function = fresh;
        writer = HiveValueWriter.of(result);
        makeReaders();
    }

    private Vector evaluateRows(Vector[] vectors, int rows) {
        try (HiveSession.Scope _ = session.enter()) {
            for (int i = 0; i < vectors.length; i++) {
                arguments[i].vector = vectors[i];
            }
            for (int row = 0; row < rows; row++) {
                Interruption.check();
                for (Argument argument : arguments) {
                    argument.row = row;
                }
                writer.write(function.evaluate(arguments), appender);
            }
            return appender.build();
        } catch (HiveException | RuntimeException | LinkageError e) {
            appender.build();
            throw HiveErrors.failed(name, e);
        }
    }

    @Override
    public void close() {
        try {
            function.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value of the current row, created when the function requests it. */
    private static final class Argument implements DeferredObject {
        private final HiveValueReader reader;
        private @Nullable Vector vector;
        private int row;

        private Argument(HiveValueReader reader) {
            this.reader = reader;
        }

        @Override
        public void prepare(int version) {}

        @Override
        public @Nullable Object get() {
            Vector source = vector;
            return source == null ? null : reader.read(source, row);
        }
    }
}
