package io.skep.itests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** ARCHITECTURE.md lists the packages and the entry points that exist. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestArchitecturePage {
    private static final Pattern PACKAGE = Pattern.compile("^\\| (io\\.skep\\.[a-z.]+) \\| \\S.* \\|$");
    private static final Pattern ENTRY_POINT =
            Pattern.compile("^\\| [^|]+ \\| `(io\\.skep\\.[a-z.]+\\.[A-Z]\\w*)(?:#(\\w+))?` \\|$");

    private final JavaClasses skep = SkepClasses.load();
    private final List<String> page = lines();

    @Test
    void everyPackageIsListedOnce() {
        List<String> packages =
                skep.stream().map(JavaClass::getPackageName).distinct().sorted().toList();
        List<String> listed = page.stream()
                .map(PACKAGE::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1))
                .toList();
        assertThat(listed).containsExactlyElementsOf(packages);
    }

    @Test
    void entryPointsExist() {
        List<Matcher> rows =
                page.stream().map(ENTRY_POINT::matcher).filter(Matcher::matches).toList();
        assertThat(rows).hasSizeGreaterThan(10);
        for (Matcher row : rows) {
            assertThat(skep.contain(row.group(1))).as(row.group(1)).isTrue();
            if (row.group(2) != null) {
                assertThat(skep.get(row.group(1)).getAllMethods())
                        .as(row.group())
                        .anyMatch(method -> method.getName().equals(row.group(2)));
            }
        }
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(Path.of(System.getProperty("skep.home"), "ARCHITECTURE.md"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
