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
import org.jspecify.annotations.Nullable;

/**
 * Which of Hive's built-in functions a server offers. The two lists mean what they mean in Hive: a name in the blacklist is
 * switched off unless Hive counts it as an operator; with a whitelist, everything that is not in it is switched off. A function
 * that is switched off is still listed. Its class cannot come back under another name. Unlike in Hive, whose blacklist spares
 * aggregates that are window functions too, every name counts.
 */
public final class FunctionPermissions {
    public static final Property<String> WHITELIST = new Property<>(
            "hive.server2.builtin.udf.whitelist",
            PropertyType.text(),
            "",
            "Built-in functions that statements may use, with commas between them; all when empty.");

    /** Hive's list is empty; these four run any Java of the server's class path, or read any file. */
    public static final Property<String> BLACKLIST = new Property<>(
            "hive.server2.builtin.udf.blacklist",
            PropertyType.text(),
            "reflect,reflect2,java_method,in_file",
            "Built-in functions that statements may not use, with commas between them.");

    /** Read when the server starts. */
    public static final List<Property<?>> PROPERTIES = List.of(WHITELIST, BLACKLIST);

    /** Every function. */
    public static final FunctionPermissions ALL = new FunctionPermissions(Set.of(), Set.of());

    private final Set<String> white;
    private final Set<String> black;
    private volatile @Nullable Blocked known;

    private record Blocked(Set<String> names, Set<String> classes) {}

    private FunctionPermissions(Set<String> white, Set<String> black) {
        this.white = Set.copyOf(white);
        this.black = Set.copyOf(black);
    }

    /** @param settings of the server; those of sessions do not count */
    public static FunctionPermissions of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        return new FunctionPermissions(names(reader.read(WHITELIST)), names(reader.read(BLACKLIST)));
    }

    /** Made by the first statement: Hive's registry takes long to load, and a server starts without it. */
    private Blocked blocked() {
        Blocked blocked = known;
        if (blocked == null) {
            blocked = white.isEmpty() && black.isEmpty() ? new Blocked(Set.of(), Set.of()) : judged();
            known = blocked;
        }
        return blocked;
    }

    private Blocked judged() {
        Set<String> names = new HashSet<>(black);
        names.removeAll(HiveFunctions.operators());
        if (!white.isEmpty()) {
            HiveFunctions.builtInNames().stream()
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

    /** @throws SkepException ACCESS_DENIED when the built-in function is switched off */
    public void check(String name) {
        if (blocked().names().contains(name)) {
            throw refused(name);
        }
    }

    /**
     * Checks what a user's function is made of.
     *
     * @throws SkepException ACCESS_DENIED when the class is that of a built-in function that is switched off
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
