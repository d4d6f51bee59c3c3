package io.skep.engine.function;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.hive.HiveArgument;
import io.skep.engine.function.hive.HiveCasts;
import io.skep.engine.function.hive.HiveFunctions;
import io.skep.engine.function.hive.HiveScalarFunction;
import io.skep.engine.function.hive.HiveSession;
import io.skep.engine.function.hive.HiveTableFunction;
import io.skep.engine.function.scalar.InFunction;
import io.skep.engine.function.scalar.NativeCasts;
import io.skep.engine.function.scalar.ScalarCall;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.table.TableFunction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDTF;

/**
 * Provides functions at run time by the names that plans use: a native kernel if one exists, otherwise Hive's class.
 * One registry serves one query in one process. A function that it returns belongs to the calling thread.
 */
public final class FunctionRegistry {
    private final HiveFunctions hive;

    /**
     * @param settings the session's settings, see {@link io.skep.engine.schedule.StageGraphRun}
     * @param userClasses a class loader that can load the classes of the plan's resources
     */
    public FunctionRegistry(Map<String, String> settings, ClassLoader userClasses) {
        this.hive = new HiveFunctions(new HiveSession(settings, userClasses));
    }

    /** Returns a registry without user functions. */
    public static FunctionRegistry builtIn(Map<String, String> settings) {
        return new FunctionRegistry(settings, FunctionRegistry.class.getClassLoader());
    }

    public HiveFunctions hive() {
        return hive;
    }

    /** @throws SkepException FUNCTION_NOT_FOUND, or the error that the function reports about its arguments */
    public ScalarFunction scalar(String function, List<FunctionCatalog.Argument> arguments, SqlType type) {
        Optional<ScalarFunction> known = BuiltInFunctions.SCALARS
                .find(function)
                .flatMap(entry -> entry.kernels().of(call(arguments, type)));
        if (known.isPresent()) {
            return known.get();
        }
        GenericUDF udf = hive.scalar(function);
        if (udf == null) {
            throw notFound(function);
        }
        HiveScalarFunction bridged =
                new HiveScalarFunction(function, udf, hiveArguments(arguments), null, hive.session());
        return bridged.type().equals(type) ? bridged : new ConvertedFunction(bridged, cast(bridged.type(), type));
    }

    private ScalarCall call(List<FunctionCatalog.Argument> arguments, SqlType type) {
        return new ScalarCall(
                arguments.stream().map(FunctionCatalog.Argument::type).toList(),
                arguments.stream().map(FunctionCatalog.Argument::constant).toList(),
                type,
                hive.session().settings());
    }

    /** @throws SkepException TYPE_MISMATCH if there is no such conversion */
    public ScalarFunction cast(SqlType from, SqlType to) {
        return NativeCasts.find(from, to, this::cast).orElseGet(() -> new HiveCasts(hive).cast(from, to));
    }

    /** Returns the function that tests whether a value is one of some constants of its own type. */
    public ScalarFunction in(List<Datum> candidates) {
        return new InFunction(candidates);
    }

    public TableFunction table(String function, List<FunctionCatalog.Argument> arguments) {
        GenericUDTF udtf = hive.table(function);
        if (udtf == null) {
            throw notFound(function);
        }
        return new HiveTableFunction(function, udtf, hiveArguments(arguments), hive.session());
    }

    /** Converts the arguments to the form that the bridge accepts. */
    public static List<HiveArgument> hiveArguments(List<FunctionCatalog.Argument> arguments) {
        return arguments.stream()
                .map(argument ->
                        new HiveArgument(argument.type(), argument.constant().orElse(null)))
                .toList();
    }

    private static SkepException notFound(String function) {
        return new SkepException(StandardErrorCode.FUNCTION_NOT_FOUND, "there is no function '" + function + "'");
    }
}
