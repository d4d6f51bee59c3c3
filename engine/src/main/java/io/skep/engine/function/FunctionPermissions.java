package io.skep.engine.function;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecretSettings;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.function.hive.HiveFunctions;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines which of Hive's built-in functions a server offers. The two lists have the same meaning as in Hive. A name
 * in the blacklist is disabled unless Hive treats it as an operator. With a whitelist, every function that is not in it
 * is disabled. A disabled function is still listed. Its class cannot be registered under another name. Unlike Hive,
 * whose blacklist does not apply to aggregates that are also window functions, every name counts.
 */
public final class FunctionPermissions {
    public static final Property<String> WHITELIST = new Property<>(
            "hive.server2.builtin.udf.whitelist",
            PropertyType.text(),
            "",
            "Built-in functions that statements may use, separated by commas; all when empty.");

    /**
     * Hive's default list is empty. These four functions run any Java code of the server's class path, or read any
     * file.
     */
    public static final Property<String> BLACKLIST = new Property<>(
            "hive.server2.builtin.udf.blacklist",
            PropertyType.text(),
            "reflect,reflect2,java_method,in_file",
            "Built-in functions that statements may not use, separated by commas.");

    /** Read when the server starts. */
    public static final List<Property<?>> PROPERTIES = List.of(WHITELIST, BLACKLIST);

    /** Permits every function. */
    public static final FunctionPermissions ALL = new FunctionPermissions(Set.of(), Set.of());

    private final Set<String> white;
    private final Set<String> black;
    private volatile @Nullable Blocked known;

    private record Blocked(Set<String> names, Set<String> classes) {}

    private FunctionPermissions(Set<String> white, Set<String> black) {
        this.white = Set.copyOf(white);
        this.black = Set.copyOf(black);
    }

    /** @param settings the server's settings; session settings have no effect */
    public static FunctionPermissions of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        return new FunctionPermissions(names(reader.read(WHITELIST)), names(reader.read(BLACKLIST)));
    }

    /** Computed by the first statement: Hive's registry is slow to load, and a server starts without it. */
    private Blocked blocked() {
        Blocked blocked = known;
        if (blocked == null) {
            blocked = white.isEmpty() && black.isEmpty() ? new Blocked(Set.of(), Set.of()) : computeBlocked();
            known = blocked;
        }
        return blocked;
    }

    private Blocked computeBlocked() {
        Set<String> names = new HashSet<>(black);
        names.removeAll(HiveFunctions.operators());
        if (!white.isEmpty()) {
            Stream.concat(HiveFunctions.builtInNames().stream(), BuiltInFunctions.names().stream())
                    .filter(name -> !white.contains(name))
                    .forEach(names::add);
        }
        Set<String> classes = names.stream()
                .flatMap(name -> HiveFunctions.builtInClass(name).stream())
                .collect(Collectors.toUnmodifiableSet());
        return new Blocked(Set.copyOf(names), classes);
    }

    private static Set<String> names(String list) {
        return SecretSettings.names(list).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** @throws SkepException ACCESS_DENIED if the built-in function is disabled */
    public void check(String name) {
        if (blocked().names().contains(name)) {
            throw refused(name);
        }
    }

    /**
     * Checks the class of a user's function.
     *
     * @throws SkepException ACCESS_DENIED if the class is that of a disabled built-in function
     */
    public void checkClass(String name, String className) {
        if (blocked().classes().contains(className)) {
            throw refused(name);
        }
    }

    private static SkepException refused(String name) {
        return new SkepException(StandardErrorCode.ACCESS_DENIED, "UDF " + name + " is not allowed")
                .withHint("the server switches it off with " + BLACKLIST.name() + " or " + WHITELIST.name());
    }
}
