package io.skep.itests.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of all modules, without tests, the subset of Hive and the code that JMH generates. */
final class SkepClasses {
    private SkepClasses() {}

    static JavaClasses load() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("skep-hive-compat"))
                .withImportOption(location -> !location.contains("/jmh_generated/"))
                .importPackages("io.skep");
    }
}
