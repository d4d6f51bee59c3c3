package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.storage.format.FileFormat;
import io.skep.storage.format.StoredAs;
import io.skep.storage.registry.FileFormats;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Detects self-describing file formats by their first bytes, so that no table gets files that it cannot read. */
final class FileFormatCheck {
    private static final int MAGIC_BYTES = FileFormats.ALL.stream()
            .flatMap(format -> format.magic().stream())
            .mapToInt(String::length)
            .max()
            .orElse(0);

    private final TableFiles files;

    FileFormatCheck(TableFiles files) {
        this.files = files;
    }

    /** @throws SkepException SEMANTIC_ERROR when the file's format is not the table's */
    void check(String path, String inputFormat, SyntaxNode where) {
        Optional<FileFormat> wanted = FileFormats.ALL.stream()
                .filter(format -> format.checkedOnLoad(inputFormat))
                .findFirst();
        String head = new String(files.head(path, MAGIC_BYTES), StandardCharsets.ISO_8859_1);
        if (wanted.isPresent()
                && !head.isEmpty()
                && !head.startsWith(wanted.get().magic().orElse(""))) {
            String name =
                    wanted.flatMap(FileFormat::storedAs).map(StoredAs::name).orElse(inputFormat);
            throw CompileErrors.plain(
                    where.position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.INVALID_FILE_FORMAT_IN_LOAD,
                    "The file that you are trying to load does not match the file format of the destination"
                            + " table: " + path + " is not of format " + name);
        }
    }
}
