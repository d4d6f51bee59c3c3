package io.skep.engine.function.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.UDAF;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.parse.SemanticException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFResolver;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDTF;
import org.jspecify.annotations.Nullable;

/**
 * Creates instances of Hive's function classes by plan name. The plan name of a built-in function is its name. The plan
 * name of a user's function is {@code name@class}, where the class is visible to the session's class loader.
 */
@SuppressWarnings("deprecation")
public final class HiveFunctions {
    /**
     * A copy of Hive's registry, because the registry copies all names for each caller, and all sessions that use it
     * wait for one lock.
     */
    private static final Map<String, Optional<FunctionInfo>> BUILT_IN = builtIns();

    /** Separates the name and the class in the plan name of a user's function. */
    private static final char CLASS_MARK = '@';

    private final HiveSession session;

    public HiveFunctions(HiveSession session) {
        this.session = session;
    }

    public HiveSession session() {
        return session;
    }

    public static String planName(String name, String className) {
        return name + CLASS_MARK + className;
    }

    /** Whether a plan name belongs to a user's function. */
    public static boolean isOfUser(String planName) {
        return planName.indexOf(CLASS_MARK) >= 0;
    }

    /** Returns a new instance, or null if there is no such scalar function. */
    public @Nullable GenericUDF scalar(String planName) {
        int at = planName.lastIndexOf(CLASS_MARK);
        if (at < 0) {
            FunctionInfo info = builtIn(planName);
            return info == null ? null : info.getGenericUDF();
        }
        Class<?> type = userClass(planName.substring(at + 1));
        if (GenericUDF.class.isAssignableFrom(type)) {
            return (GenericUDF) instance(type);
        }
        return UDF.class.isAssignableFrom(type)
                ? new GenericUDFBridge(planName.substring(0, at), false, type.getName())
                : null;
    }

    /** Returns a new instance, or null if there is no such table function. */
    public @Nullable GenericUDTF table(String planName) {
        int at = planName.lastIndexOf(CLASS_MARK);
        if (at < 0) {
            FunctionInfo info = builtIn(planName);
            return info == null ? null : info.getGenericUDTF();
        }
        Class<?> type = userClass(planName.substring(at + 1));
        return GenericUDTF.class.isAssignableFrom(type) ? (GenericUDTF) instance(type) : null;
    }

    /** Returns the resolver, or null if there is no such aggregate function. */
    public @Nullable GenericUDAFResolver aggregate(String planName) {
        int at = planName.lastIndexOf(CLASS_MARK);
        if (at < 0) {
            FunctionInfo info = builtIn(planName);
            return info == null ? null : info.getGenericUDAFResolver();
        }
        Class<?> type = userClass(planName.substring(at + 1));
        if (GenericUDAFResolver.class.isAssignableFrom(type)) {
            return (GenericUDAFResolver) instance(type);
        }
        return UDAF.class.isAssignableFrom(type) ? new GenericUDAFBridge((UDAF) instance(type)) : null;
    }

    public static Set<String> builtInNames() {
        return BUILT_IN.keySet();
    }

    /** Returns the names of operators, and of functions that Hive requires. */
    public static Set<String> operators() {
        return Set.copyOf(FunctionRegistry.HIVE_OPERATORS);
    }

    /** Returns the name of the class that implements a built-in function. */
    public static Optional<String> builtInClass(String name) {
        FunctionInfo info = builtIn(name);
        return info == null
                ? Optional.empty()
                : Optional.ofNullable(info.getFunctionClass()).map(Class::getName);
    }

    private static Map<String, Optional<FunctionInfo>> builtIns() {
        Map<String, Optional<FunctionInfo>> known = new HashMap<>();
        for (String name : FunctionRegistry.getFunctionNames()) {
            try {
                known.put(name, Optional.ofNullable(FunctionRegistry.getFunctionInfo(name)));
            } catch (SemanticException e) {
                known.put(name, Optional.empty());
            }
        }
        return Map.copyOf(known);
    }

    /** Returns the other names of a built-in function. */
    public static SortedSet<String> synonyms(String name) {
        try {
            return new TreeSet<>(FunctionRegistry.getFunctionSynonyms(name));
        } catch (SemanticException e) {
            return Collections.emptySortedSet();
        }
    }

    public static boolean isScalarClass(Class<?> type) {
        return GenericUDF.class.isAssignableFrom(type) || UDF.class.isAssignableFrom(type);
    }

    public static boolean isAggregateClass(Class<?> type) {
        return GenericUDAFResolver.class.isAssignableFrom(type) || UDAF.class.isAssignableFrom(type);
    }

    /** Returns Hive's description of a built-in function, or null if there is none of this name. */
    public static @Nullable FunctionInfo builtIn(String name) {
        return BUILT_IN.getOrDefault(name, Optional.empty()).orElse(null);
    }

    /** @throws SkepException FUNCTION_NOT_FOUND if the class cannot be loaded */
    public Class<?> userClass(String className) {
        try {
            return Class.forName(className, true, session.classLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new SkepException(
                            StandardErrorCode.FUNCTION_NOT_FOUND,
                            "class " + className + " of a function cannot be loaded",
                            e)
                    .withHint("is its jar added, and are the classes it needs in it?");
        }
    }

    private static Object instance(Class<?> type) {
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new SkepException(
                    StandardErrorCode.UDF_FAILED, "making " + type.getName() + " failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new SkepException(
                    StandardErrorCode.UDF_FAILED, type.getName() + " has no public constructor without arguments", e);
        }
    }
}
