package io.skep.itests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedJars;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the user's guide against one server, page by page, and compares the output. */
@Timeout(300)
final class TestGuide {
    private static final Path GUIDE = ReleasedJars.home().resolve("docs/guide");
    private static final Pattern PAGE =
            Pattern.compile("^\\d+\\. \\[[^]]+]\\((?<file>[\\w-]+\\.md)\\)", Pattern.MULTILINE);

    /** Later pages use the tables of earlier ones, and the last one stops the server. */
    @Test
    void commandsGiveTheirOutput(@TempDir Path folder) throws Exception {
        boolean python = GuideHome.hasPython();
        GuideHome home = GuideHome.make(folder);
        int steps = 0;
        try (GuideSession session = new GuideSession(home, Files.createDirectory(folder.resolve("logs")))) {
            for (String name : pages()) {
                for (GuidePage.Step step : GuidePage.read(GUIDE.resolve(name)).steps()) {
                    if (python || !isPython(step)) {
                        session.run(step, name);
                        steps++;
                    }
                }
            }
        }
        assertThat(steps).isGreaterThan(40);
        Assumptions.assumeTrue(python, "a Python with PyHive for the commands in Python; bin/test makes it");
    }

    @Test
    void theIndexNamesAllPages() throws Exception {
        try (var files = Files.list(GUIDE)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> !name.equals("README.md")))
                    .containsExactlyInAnyOrderElementsOf(pages());
        }
    }

    private static List<String> pages() throws Exception {
        return PAGE.matcher(Files.readString(GUIDE.resolve("README.md")))
                .results()
                .map((MatchResult page) -> page.group("file"))
                .toList();
    }

    private static boolean isPython(GuidePage.Step step) {
        return step instanceof GuidePage.Shell shell && shell.command().startsWith("python");
    }
}
