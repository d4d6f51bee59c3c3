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
import io.skep.engine.function.scalar.NativeFunctions;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.table.TableFunction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDTF;

/**
 * Functions at run time, by the names that plans use: a native kernel where there is one, else Hive's class. One registry
 * serves one query in one process; what it gives out belongs to the thread that asked.
 */
public final class FunctionRegistry {
    private final HiveFunctions hive;

    /**
     * @param settings the session's settings, see {@link io.skep.engine.schedule.StageGraphRun}
     * @param userClasses sees the classes of the plan's resources
     */
    public FunctionRegistry(Map<String, String> settings, ClassLoader userClasses) {
        this.hive = new HiveFunctions(new HiveSession(settings, userClasses));
    }

    /** Without user functions. */
    public static FunctionRegistry builtIn(Map<String, String> settings) {
        return new FunctionRegistry(settings, FunctionRegistry.class.getClassLoader());
    }

    public HiveFunctions hive() {
        return hive;
    }

    /** @throws SkepException FUNCTION_NOT_FOUND, or what the function says of its arguments */
    public ScalarFunction scalar(String function, List<FunctionCatalog.Argument> arguments, SqlType type) {
        Optional<ScalarFunction> known = isAnotherRegex(function)
                ? Optional.empty()
                : NativeFunctions.find(
                        function,
                        arguments.stream().map(FunctionCatalog.Argument::type).toList(),
                        arguments.stream()
                                .map(FunctionCatalog.Argument::constant)
                                .toList(),
                        type);
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

    /** Patterns of another kind, which take no longer than their text is long. */
    private boolean isAnotherRegex(String function) {
        return (function.equals("regexp") || function.equals("rlike"))
                && "true".equalsIgnoreCase(hive.session().setting("hive.use.googleregex.engine"));
    }

    /** @throws SkepException TYPE_MISMATCH when there is no such conversion */
    public ScalarFunction cast(SqlType from, SqlType to) {
        return NativeCasts.find(from, to, this::cast).orElseGet(() -> new HiveCasts(hive).cast(from, to));
    }

    /** Whether a value is one of some constants of its own type. */
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

    /** Arguments as the bridge takes them. */
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
