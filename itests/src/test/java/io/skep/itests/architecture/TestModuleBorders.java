package io.skep.itests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Checks the table of ARCHITECTURE.md: which module may depend on which. Dependencies point only downward. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestModuleBorders {
    /** Maps the package of a module to the packages of the other modules that it may use. */
    private static final Map<String, Set<String>> MAY_SEE = Map.ofEntries(
            Map.entry("common", Set.of()),
            Map.entry("storage", Set.of("common")),
            Map.entry("engine", Set.of("common", "storage")),
            Map.entry("metastore", Set.of("common", "storage")),
            Map.entry("ql", Set.of("common", "storage", "engine", "metastore")),
            Map.entry("reader", Set.of()),
            Map.entry("memory", Set.of()),
            Map.entry("mapred", Set.of("reader")),
            Map.entry("pig", Set.of("mapred", "reader")),
            Map.entry("llap.client", Set.of("common", "reader")),
            Map.entry("webui", Set.of("common")),
            Map.entry("authentication", Set.of("common")),
            Map.entry(
                    "llap.server",
                    Set.of("common", "storage", "engine", "llap.client", "reader", "webui", "authentication")),
            Map.entry("tez", Set.of("common", "storage", "engine", "llap.client")),
            Map.entry(
                    "service",
                    Set.of(
                            "common",
                            "storage",
                            "engine",
                            "metastore",
                            "ql",
                            "tez",
                            "llap.client",
                            "llap.server",
                            "reader",
                            "webui",
                            "authentication")),
            Map.entry(
                    "bench",
                    Set.of(
                            "common",
                            "storage",
                            "engine",
                            "metastore",
                            "ql",
                            "tez",
                            "llap.client",
                            "llap.server",
                            "reader",
                            "webui",
                            "service")));

    /** The input formats of clients/mapred, which have the names that users of Hive look for. */
    private static final Set<String> OF_MAPRED =
            Set.of("io.skep.llap.client.LlapInputFormat", "io.skep.llap.client.LlapArrowInputFormat");

    private JavaClasses skep = SkepClasses.load();

    @BeforeAll
    void everyModuleIsThere() {
        for (String module : MAY_SEE.keySet()) {
            assertThat(skep.containPackage("io.skep." + module)).as(module).isTrue();
        }
    }

    @Test
    void modulesSeeOnlyWhatLiesBelow() {
        classes().should(seeOnlyModulesBelow()).check(skep);
    }

    @Test
    void noPackageCycles() {
        slices().matching("io.skep.(**)").should().beFreeOfCycles().check(skep);
    }

    @Test
    void everyPackageIsNullMarked() {
        List<String> unmarked = skep.stream()
                .map(JavaClass::getPackage)
                .distinct()
                .filter(one -> !one.isAnnotatedWith("org.jspecify.annotations.NullMarked"))
                .map(one -> one.getName())
                .toList();
        assertThat(unmarked).isEmpty();
    }

    private static ArchCondition<JavaClass> seeOnlyModulesBelow() {
        return new ArchCondition<>("see only modules below its own") {
            @Override
            public void check(JavaClass from, ConditionEvents events) {
                Set<String> allowed = MAY_SEE.getOrDefault(
                        moduleOf(from).orElseThrow(() -> new AssertionError(from.getName() + " is in no module")),
                        Set.of());
                from.getDirectDependenciesFromSelf().forEach(dependency -> {
                    Optional<String> to = moduleOf(dependency.getTargetClass());
                    boolean fits = to.isEmpty() || to.equals(moduleOf(from)) || allowed.contains(to.get());
                    if (!fits) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                });
            }
        };
    }

    private static Optional<String> moduleOf(JavaClass type) {
        if (OF_MAPRED.contains(type.getName())) {
            return Optional.of("mapred");
        }
        String name = type.getPackageName() + ".";
        return MAY_SEE.keySet().stream()
                .filter(module -> name.startsWith("io.skep." + module + "."))
                .findFirst();
    }
}
