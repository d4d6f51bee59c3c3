package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.SyntaxNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Detects self-describing file formats by their first bytes, so that no table gets files that it cannot read. */
final class FileFormatCheck {
    private static final int MAGIC_BYTES = 4;

    private static final Map<String, String> FORMAT_BY_MAGIC =
            Map.of("ORC", "orc", "PAR1", "parquet", "SEQ", "sequencefile", "RCF", "rcfile", "Obj\u0001", "avro");

    private final TableFiles files;

    FileFormatCheck(TableFiles files) {
        this.files = files;
    }

    /** @throws SkepException SEMANTIC_ERROR when the file's format is not the table's */
    void check(String path, String inputFormat, SyntaxNode where) {
        Optional<String> wanted = formatOf(inputFormat);
        byte[] head = files.head(path, MAGIC_BYTES);
        Optional<String> found = recognized(new String(head, StandardCharsets.ISO_8859_1));
        if (wanted.isPresent() && head.length > 0 && !wanted.equals(found)) {
            throw new SkepException(
                            StandardErrorCode.SEMANTIC_ERROR,
                            "The file that you are trying to load does not match the file format of the destination"
                                    + " table: " + path + " is not of format " + wanted.get())
                    .at(where.position());
        }
    }

    private static Optional<String> recognized(String head) {
        return FORMAT_BY_MAGIC.entrySet().stream()
                .filter(entry -> head.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Returns the expected format, only for formats that every file declares. A text file may contain anything. */
    private static Optional<String> formatOf(String inputFormat) {
        String name = inputFormat.toLowerCase(Locale.ROOT);
        return name.contains("orcinputformat")
                ? Optional.of("orc")
                : name.contains("parquetinputformat")
                        ? Optional.of("parquet")
                        : name.endsWith(".sequencefileinputformat") ? Optional.of("sequencefile") : Optional.empty();
    }
}
