package io.skep.itests.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * The classes of all modules, without tests, the subset of Hive and the code that JMH generates. They are read once in
 * a process, since that takes seconds, and JUnit has an object of a test's class for each of its tests.
 */
final class SkepClasses {
    private SkepClasses() {}

    private static final class Loaded {
        static final JavaClasses SKEP = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("skep-hive-compat"))
                .withImportOption(location -> !location.contains("/jmh_generated/"))
                .importPackages("io.skep");
    }

    static JavaClasses load() {
        return Loaded.SKEP;
    }
}
