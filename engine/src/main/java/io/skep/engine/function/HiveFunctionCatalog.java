package io.skep.engine.function;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.aggregate.AggregateFunctionEntry;
import io.skep.engine.aggregate.WindowFunctionEntry;
import io.skep.engine.function.entry.EntriesByName;
import io.skep.engine.function.entry.FunctionEntry;
import io.skep.engine.function.entry.FunctionOrigin;
import io.skep.engine.function.hive.HiveAggregates;
import io.skep.engine.function.hive.HiveDescriptions;
import io.skep.engine.function.hive.HiveFunctions;
import io.skep.engine.function.hive.HiveScalarFunction;
import io.skep.engine.function.hive.HiveSession;
import io.skep.engine.function.hive.HiveTableFunction;
import io.skep.engine.function.scalar.ScalarFunctionEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.apache.hadoop.hive.ql.exec.WindowFunctionInfo;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDTF;

/**
 * A catalog of Hive's built-in functions, those of {@link BuiltInFunctions} and a session's own functions, which hide
 * built-in ones. Immutable and cheap to create. A session creates a new catalog when its functions, jars or settings
 * change. Thread-safe.
 */
public final class HiveFunctionCatalog implements FunctionCatalog {
    /** Types whose functions are written as CAST. SHOW FUNCTIONS does not list them. */
    private static final Set<String> CASTS = Set.of(
            "bigint",
            "binary",
            "boolean",
            "char",
            "date",
            "decimal",
            "double",
            "float",
            "int",
            "interval_day_time",
            "interval_year_month",
            "smallint",
            "string",
            "timestamp",
            "timestamp with local time zone",
            "tinyint",
            "varchar");

    /** Functions of Hive that the compiler carries out where they are the whole statement. */
    private static final Set<String> STATEMENTS = Set.of("get_splits", "get_llap_splits");

    /** Usable functions that are newer than Hive 4.0 and not listed. */
    private static final Set<String> LATER = Set.of(
            "array_append",
            "array_compact",
            "array_position",
            "parse_json",
            "to_json",
            "try_variant_get",
            "variant_get");

    private final Map<String, String> userFunctions;
    private final FunctionPermissions permissions;
    private final HiveFunctions hive;
    private final HiveAggregates aggregates;

    /**
     * @param settings the session's settings, including hive.local.time.zone
     * @param userClasses a class loader that can load the classes of user functions
     * @param userFunctions class names of temporary and permanent functions by name (lower case, with the database if
     *     the function has one)
     * @param permissions determines which built-in functions are allowed
     */
    public HiveFunctionCatalog(
            Map<String, String> settings,
            ClassLoader userClasses,
            Map<String, String> userFunctions,
            FunctionPermissions permissions) {
        this.userFunctions = Map.copyOf(userFunctions);
        this.permissions = permissions;
        this.hive = new HiveFunctions(new HiveSession(settings, userClasses));
        this.aggregates = new HiveAggregates(hive);
    }

    /** Returns a catalog without user functions that allows every built-in function. */
    public static HiveFunctionCatalog builtIn(Map<String, String> settings) {
        return new HiveFunctionCatalog(
                settings, HiveFunctionCatalog.class.getClassLoader(), Map.of(), FunctionPermissions.ALL);
    }

    /** @throws SkepException ACCESS_DENIED if the server has disabled the function */
    private void check(String name) {
        String className = userFunctions.get(name);
        if (className == null) {
            permissions.check(name);
        } else {
            permissions.checkClass(name, className);
        }
    }

    @Override
    public SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>(HiveFunctions.builtInNames());
        names.removeAll(CASTS);
        names.removeAll(LATER);
        names.addAll(BuiltInFunctions.names());
        names.add("case");
        names.addAll(userFunctions.keySet());
        return names;
    }

    @Override
    public Optional<Kind> kind(String name) {
        check(name);
        if (BuiltInFunctions.WINDOWS.findCallable(name).isPresent()) {
            return Optional.of(Kind.WINDOW);
        }
        String className = userFunctions.get(name);
        if (className != null) {
            return Optional.of(kindOfClass(hive.userClass(className)));
        }
        if (BuiltInFunctions.SCALARS.findCallable(name).isPresent()) {
            return Optional.of(Kind.SCALAR);
        }
        if (BuiltInFunctions.AGGREGATES.findCallable(name).isPresent()) {
            return Optional.of(Kind.AGGREGATE);
        }
        if (BuiltInFunctions.find(name).isPresent()) {
            return Optional.of(Kind.SCALAR);
        }
        FunctionInfo info = HiveFunctions.builtIn(name);
        if (info == null) {
            return Optional.empty();
        }
        return Optional.of(kindOfHive(info));
    }

    private static Kind kindOfHive(FunctionInfo info) {
        if (info.isGenericUDF()) {
            return Kind.SCALAR;
        }
        if (info.isGenericUDAF()) {
            return Kind.AGGREGATE;
        }
        return info.isGenericUDTF() ? Kind.TABLE : Kind.PARTITIONED;
    }

    /**
     * Returns the kind of function that a class implements.
     *
     * @throws SkepException INVALID_ARGUMENT if the class is not a function class
     */
    public static Kind kindOfClass(Class<?> type) {
        if (HiveFunctions.isScalarClass(type)) {
            return Kind.SCALAR;
        }
        if (HiveFunctions.isAggregateClass(type)) {
            return Kind.AGGREGATE;
        }
        if (GenericUDTF.class.isAssignableFrom(type)) {
            return Kind.TABLE;
        }
        throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, type.getName() + " is not a function class")
                .withHint("a function class is a UDF, GenericUDF, GenericUDTF, UDAF or a GenericUDAFResolver of Hive");
    }

    @Override
    public List<Listed> listing() {
        SortedSet<String> names = names();
        names.addAll(CASTS);
        return names.stream().map(this::listed).toList();
    }

    private Listed listed(String name) {
        String className = userFunctions.get(name);
        if (className != null) {
            return listedOfUser(name, className);
        }
        FunctionInfo info = HiveFunctions.builtIn(name);
        return new Listed(
                name,
                info == null ? name : info.getDisplayName(),
                describe(name, false),
                info != null && kindOfHive(info) == Kind.TABLE,
                (info instanceof WindowFunctionInfo ? WindowFunctionInfo.class : FunctionInfo.class).getName());
    }

    /** Lists a function without its description if its class cannot be loaded. */
    private Listed listedOfUser(String name, String className) {
        String registration = FunctionInfo.class.getName();
        try {
            boolean isTable = kindOfClass(hive.userClass(className)) == Kind.TABLE;
            return new Listed(name, name, describe(name, false), isTable, registration);
        } catch (SkepException e) {
            return new Listed(name, name, Optional.empty(), false, registration);
        }
    }

    @Override
    public Optional<String> description(String name, boolean extended) {
        check(name);
        return describe(name, extended);
    }

    private Optional<String> describe(String name, boolean extended) {
        String className = userFunctions.get(name);
        if (className != null) {
            return HiveDescriptions.of(
                    name,
                    hive.userClass(className),
                    extended,
                    List.of(),
                    name.indexOf('.') < 0 ? "TEMPORARY" : "PERSISTENT");
        }
        return BuiltInFunctions.find(name)
                .flatMap(entry -> entry.description(name, extended))
                .or(() -> ofHive(name, extended));
    }

    private static Optional<String> ofHive(String name, boolean extended) {
        FunctionInfo info = HiveFunctions.builtIn(name);
        return info == null
                ? Optional.empty()
                : HiveDescriptions.of(name, info.getFunctionClass(), extended, HiveFunctions.synonyms(name), "BUILTIN");
    }

    @Override
    public ScalarSignature scalar(String name, List<Argument> arguments) {
        check(name);
        Optional<ScalarFunctionEntry> entry = ofSystem(name, BuiltInFunctions.SCALARS);
        Optional<SqlType> known = entry.flatMap(one -> one.types().result().of(types(arguments)));
        if (known.isPresent()) {
            return new ScalarSignature(name, parameterTypes(entry, arguments, known.get()), known.get(), true);
        }
        entry.ifPresent(one -> checkIsOfHive(name, one, arguments));
        String planName = planName(name);
        GenericUDF function = hive.scalar(planName);
        if (function == null) {
            throw notFound(name, "function");
        }
        HiveScalarFunction bound =
                new HiveScalarFunction(name, function, FunctionRegistry.hiveArguments(arguments), null, hive.session());
        return new ScalarSignature(
                planName, parameterTypes(entry, arguments, bound.type()), bound.type(), bound.foldable());
    }

    /** Without an entry Hive's class, or a user's, takes its arguments as they are. */
    private List<SqlType> parameterTypes(
            Optional<ScalarFunctionEntry> entry, List<Argument> arguments, SqlType result) {
        List<SqlType> types = types(arguments);
        return entry.map(one -> one.types()
                        .parameters()
                        .of(types, result, hive.session().zone()))
                .orElse(types);
    }

    @Override
    public AggregateSignature aggregate(String name, List<Argument> arguments, boolean distinct, boolean star) {
        check(name);
        Optional<AggregateFunctionEntry> entry = ofSystem(name, BuiltInFunctions.AGGREGATES);
        Optional<AggregateFunctionEntry.Types> known =
                entry.flatMap(one -> one.types().of(types(arguments)));
        if (known.isPresent()) {
            AggregateFunctionEntry.Types types = known.get();
            return new AggregateSignature(name, types.parameters(), types.state(), types.result());
        }
        entry.ifPresent(one -> checkIsOfHive(name, one, arguments));
        String planName = planName(name);
        if (hive.aggregate(planName) == null) {
            throw notFound(name, "aggregate function");
        }
        HiveAggregates.Bound bound =
                new HiveAggregates.Bound(planName, FunctionRegistry.hiveArguments(arguments), distinct, star);
        return new AggregateSignature(
                ConstantArguments.encode(planName, arguments),
                types(arguments),
                aggregates.stateType(bound),
                aggregates.type(bound));
    }

    @Override
    public AggregateSignature window(String name, List<Argument> arguments, boolean distinct) {
        check(name);
        Optional<WindowFunctionEntry> entry = BuiltInFunctions.WINDOWS.findCallable(name);
        if (entry.isEmpty()) {
            return aggregate(name, arguments, distinct, arguments.isEmpty() && name.equals("count"));
        }
        WindowFunctionEntry.Types types = entry.get().types().of(name, types(arguments));
        return new AggregateSignature(name, types.parameters(), PrimitiveType.VOID, types.result());
    }

    /** The entry of a name that no user's function hides. */
    private <E extends FunctionEntry> Optional<E> ofSystem(String name, EntriesByName<E> entries) {
        return userFunctions.containsKey(name) ? Optional.empty() : entries.find(name);
    }

    /** @throws SkepException INVALID_ARGUMENT when there is no class of Hive that may take the arguments */
    private static void checkIsOfHive(String name, FunctionEntry entry, List<Argument> arguments) {
        if (entry.metadata().origin() == FunctionOrigin.SKEP) {
            String given = types(arguments).stream().map(SqlType::toString).collect(Collectors.joining(", ", "(", ")"));
            SkepException error =
                    new SkepException(StandardErrorCode.INVALID_ARGUMENT, name + " does not take " + given);
            throw entry.description(name, false).map(error::withHint).orElse(error);
        }
    }

    @Override
    public TableSignature table(String name, List<Argument> arguments) {
        if (STATEMENTS.contains(name) && !userFunctions.containsKey(name)) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED,
                    name + " is only supported as a statement of its own: SELECT " + name + "('query', n)");
        }
        check(name);
        String planName = planName(name);
        GenericUDTF function = hive.table(planName);
        if (function == null) {
            throw notFound(name, "table function");
        }
        HiveTableFunction bound =
                new HiveTableFunction(name, function, FunctionRegistry.hiveArguments(arguments), hive.session());
        return new TableSignature(planName, bound.columnNames(), bound.columnTypes());
    }

    /** Whether a name is that of a partitioned table function of Hive, which no expression can call. */
    private static boolean isPartitioned(String name) {
        FunctionInfo info = HiveFunctions.builtIn(name);
        return info != null && kindOfHive(info) == Kind.PARTITIONED;
    }

    /** Whether Hive or Skep has a function of this name, which no statement can drop. */
    public static boolean isBuiltIn(String name) {
        return BuiltInFunctions.find(name).isPresent() || HiveFunctions.builtIn(name) != null;
    }

    private String planName(String name) {
        String className = userFunctions.get(name);
        return className == null ? name : HiveFunctions.planName(name, className);
    }

    private static List<SqlType> types(List<Argument> arguments) {
        return arguments.stream().map(Argument::type).toList();
    }

    private SkepException notFound(String name, String what) {
        SkepException error =
                new SkepException(StandardErrorCode.FUNCTION_NOT_FOUND, "there is no " + what + " '" + name + "'");
        SortedSet<String> others = names();
        others.remove(name);
        others.removeIf(HiveFunctionCatalog::isPartitioned);
        List<String> near = DidYouMean.of(name, others);
        return near.isEmpty() ? error : error.withHint("did you mean " + String.join(", ", near) + "?");
    }
}
