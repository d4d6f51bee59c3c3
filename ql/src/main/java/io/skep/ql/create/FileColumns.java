package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.statement.Formats;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.storage.format.ColumnarFileFormat;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** The columns of CREATE TABLE LIKE FILE, which are those of a file of ORC or Parquet. */
final class FileColumns {
    /** A file may claim any number of columns. The metastore has a row for each. */
    private static final int MAX_COLUMNS = 10_000;

    private FileColumns() {}

    /** @param like TOK_LIKEFILE: the name of a format, and the path of the file */
    static List<FieldSchema> of(SyntaxNode like, StatementContext context) {
        String formatName = SyntaxText.identifier(like.child(0));
        TableFormat format = format(formatName, like, context);
        SyntaxNode where = like.child(1);
        PathPolicy paths = context.services().paths();
        String path = paths.check(SyntaxText.string(where), where.position());
        if (paths.isSpecial(path)) {
            throw failed(where, path + " is not a regular file");
        }
        context.access().ofSession().files().requireReadableFiles(List.of(path));
        List<Column> columns;
        try {
            columns = context.services().files().describedColumns(path, format);
        } catch (SkepException e) {
            if (!Set.of(StandardErrorCode.MISSING_FILE, StandardErrorCode.CORRUPT_FILE, StandardErrorCode.NOT_SUPPORTED)
                    .contains(e.code())) {
                throw e.at(where.position());
            }
            throw failed(where, e.fullMessage());
        }
        return described(columns, formatName, where);
    }

    private static TableFormat format(String name, SyntaxNode like, StatementContext context) {
        TableFormat format;
        try {
            format = Formats.format(Formats.named(name, context.settings()), Optional.empty(), Map.of());
        } catch (SkepException e) {
            throw e.at(like.child(0).position());
        }
        if (!(FileFormats.of(format) instanceof ColumnarFileFormat)) {
            throw CompileErrors.plain(
                    like.child(0).position(),
                    StandardErrorCode.NOT_SUPPORTED,
                    ErrorMsg.CTLF_UNSUPPORTED_FORMAT,
                    ErrorMsg.CTLF_UNSUPPORTED_FORMAT.format(like.child(0).text()));
        }
        return format;
    }

    private static List<FieldSchema> described(List<Column> columns, String format, SyntaxNode where) {
        if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
            throw failed(where, "the file has " + columns.size() + " columns");
        }
        String name = format.toLowerCase(Locale.ROOT);
        String comment =
                "Inferred from " + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + " file.";
        Set<String> names = new HashSet<>();
        List<FieldSchema> fields = new ArrayList<>();
        for (Column column : columns) {
            if (!names.add(column.name())) {
                throw failed(where, "two columns have the name '" + column.name() + "'");
            }
            fields.add(new FieldSchema(column.name(), stored(column, where), Optional.of(comment)));
        }
        return fields;
    }

    /** Returns the type as the metastore gives it back, which has types as text. Names of fields are in lower case. */
    private static SqlType stored(Column column, SyntaxNode where) {
        String text = column.type().toString();
        try {
            SqlType type = TypeParser.parse(text);
            if (type.toString().equalsIgnoreCase(text)) {
                return type;
            }
        } catch (SkepException e) {
            throw failed(where, "column '" + column.name() + "': " + e.fullMessage());
        }
        throw failed(where, "column '" + column.name() + "' has a field whose name no type can have");
    }

    private static SkepException failed(SyntaxNode where, String why) {
        ErrorMsg error = ErrorMsg.CTLF_FAILED_INFERENCE;
        return CompileErrors.task(
                where.position(),
                StandardErrorCode.INVALID_PATH,
                ErrorMsg.GENERIC_ERROR,
                "[Error " + error.getErrorCode() + "]: " + error.getMsg() + " " + why);
    }
}
