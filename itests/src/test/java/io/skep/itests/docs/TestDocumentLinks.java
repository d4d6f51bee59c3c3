package io.skep.itests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedJars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that links between documents lead to files, and that the index of documents is complete. */
final class TestDocumentLinks {
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:|#)(?<target>[^)#\\s]+)(?:#[^)]*)?\\)");

    @Test
    void linksLeadToFiles() throws IOException {
        List<Path> documents = documents();
        assertThat(documents.stream().flatMap(TestDocumentLinks::targets)).hasSizeGreaterThan(100);
        assertThat(documents.stream().flatMap(TestDocumentLinks::targets).filter(target -> !Files.exists(target)))
                .isEmpty();
    }

    @Test
    void theIndexNamesAllDocuments() throws IOException {
        Path docs = ReleasedJars.home().resolve("docs");
        List<Path> named = targets(docs.resolve("README.md")).toList();
        assertThat(documents())
                .filteredOn(document -> document.startsWith(docs) && !document.equals(docs.resolve("README.md")))
                .isNotEmpty()
                .allSatisfy(document -> assertThat(named).contains(document));
    }

    private static List<Path> documents() throws IOException {
        Path home = ReleasedJars.home();
        try (Stream<Path> top = Files.list(home);
                Stream<Path> docs = Files.walk(home.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static Stream<Path> targets(Path document) {
        try {
            return LINK
                    .matcher(Files.readString(document))
                    .results()
                    .map(link -> document.resolveSibling(link.group("target")).normalize())
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
