package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.ql.analyze.RowFormats;
import io.skep.ql.analyze.TypeSyntax;
import io.skep.ql.create.ConstraintClauses;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.session.SessionSettings;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The clauses of CREATE TABLE that describe columns and storage. */
public final class TableDefinition {
    private final SyntaxNode statement;

    public TableDefinition(SyntaxNode statement) {
        this.statement = statement;
    }

    public List<FieldSchema> columns() {
        return statement
                .first(HiveParser.TOK_TABCOLLIST)
                .map(TableDefinition::columns)
                .orElse(List.of());
    }

    public List<FieldSchema> partitionKeys() {
        return statement
                .first(HiveParser.TOK_TABLEPARTCOLS)
                .map(node -> columns(node.has(HiveParser.TOK_TABCOLLIST) ? node.child(0) : node))
                .map(this::plain)
                .orElse(List.of());
    }

    /** Refuses complex types for partition columns, since their values are text in the names of folders. */
    private List<FieldSchema> plain(List<FieldSchema> keys) {
        for (FieldSchema key : keys) {
            switch (key.type()) {
                case ArrayType t -> throw notForPartitions(key);
                case MapType t -> throw notForPartitions(key);
                case StructType t -> throw notForPartitions(key);
                case UnionType t -> throw notForPartitions(key);
                default -> {}
            }
        }
        return keys;
    }

    private SkepException notForPartitions(FieldSchema key) {
        return CompileErrors.plain(
                statement.child(0).position(),
                StandardErrorCode.SEMANTIC_ERROR,
                ErrorMsg.PARTITION_COLUMN_NON_PRIMITIVE,
                ErrorMsg.PARTITION_COLUMN_NON_PRIMITIVE.getMsg() + " Found " + key.name() + " of type: "
                        + key.type().displayName());
    }

    /** @param list a list of TOK_TABCOL; {@link ConstraintClauses} reads the constraints in between */
    public static List<FieldSchema> columns(SyntaxNode list) {
        List<FieldSchema> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (SyntaxNode column : list.all(HiveParser.TOK_TABCOL)) {
            String name = SyntaxText.identifier(column.child(0));
            if (!names.add(name)) {
                throw CompileErrors.plain(
                        column.position(),
                        StandardErrorCode.COLUMN_EXISTS,
                        ErrorMsg.DUPLICATE_COLUMN_NAMES,
                        ErrorMsg.DUPLICATE_COLUMN_NAMES.getMsg() + " " + name);
            }
            Optional<String> comment =
                    column.childCount() > 2 && column.child(2).type() == HiveParser.StringLiteral
                            ? Optional.of(SyntaxText.string(column.child(2)))
                            : Optional.empty();
            columns.add(new FieldSchema(name, TypeSyntax.of(column.child(1)), comment));
        }
        return columns;
    }

    /** Returns the format that the statement names, or that of the settings; for folders text, as in Hive. */
    public TableFormat format(SessionSettings settings) {
        HiveClasses files = files(settings);
        Map<String, String> properties = new TreeMap<>();
        Optional<String> serde = statement.first(HiveParser.TOK_TABLESERIALIZER).map(node -> {
            SyntaxNode name = node.child(0);
            name.children().stream().skip(1).forEach(child -> properties.putAll(SyntaxText.properties(child)));
            String written = SyntaxText.string(name.child(0));
            Formats.checkSerde(written, name.child(0).position());
            return written;
        });
        statement
                .first(HiveParser.TOK_TABLEROWFORMAT)
                .ifPresent(node -> properties.putAll(RowFormats.delimiters(node.child(0))));
        properties.putIfAbsent("serialization.format", "1");
        return Formats.format(files, serde, properties);
    }

    private HiveClasses files(SessionSettings settings) {
        Optional<SyntaxNode> named = statement.first(HiveParser.TOK_FILEFORMAT_GENERIC);
        if (named.isPresent()) {
            try {
                return Formats.named(named.get().child(0).text(), settings);
            } catch (SkepException e) {
                throw e.at(named.get().child(0).position());
            }
        }
        return statement
                .first(HiveParser.TOK_TABLEFILEFORMAT)
                .map(node -> {
                    HiveClasses classes = new HiveClasses(
                            SyntaxText.string(node.child(0)), SyntaxText.string(node.child(1)), Optional.empty());
                    Formats.checkFiles(classes, node.child(0).position());
                    return classes;
                })
                .orElseGet(() -> Formats.named(defaultFormat(settings), settings));
    }

    private String defaultFormat(SessionSettings settings) {
        if (statement.is(HiveParser.TOK_DIR)) {
            return "TextFile";
        }
        if (statement.is(HiveParser.TOK_CREATE_MATERIALIZED_VIEW)) {
            return settings.get("hive.materializedview.fileformat").orElse("ORC");
        }
        return settings.get("hive.default.fileformat.managed")
                .filter(format -> !format.equalsIgnoreCase("none") && !statement.has(HiveParser.KW_EXTERNAL))
                .or(() -> settings.get("hive.default.fileformat"))
                .orElse("TextFile");
    }

    public int buckets() {
        return statement
                .first(HiveParser.TOK_ALTERTABLE_BUCKETS)
                .map(node -> Integer.parseInt(node.child(node.childCount() - 1).text()))
                .orElse(-1);
    }

    public List<String> bucketColumns() {
        return statement
                .first(HiveParser.TOK_ALTERTABLE_BUCKETS)
                .map(node -> node.child(0).children().stream()
                        .map(SyntaxText::identifier)
                        .toList())
                .orElse(List.of());
    }

    public List<StorageDescriptor.SortColumn> sortColumns() {
        return statement
                .first(HiveParser.TOK_ALTERTABLE_BUCKETS)
                .filter(node -> node.childCount() > 2)
                .map(node -> node.child(1).children().stream()
                        .map(TableDefinition::sortColumn)
                        .toList())
                .orElse(List.of());
    }

    /**
     * Refuses buckets by what is no column.
     *
     * @param columns the columns of the rows
     */
    public void checkBuckets(List<FieldSchema> columns) {
        List<String> names = columns.stream().map(FieldSchema::name).toList();
        List<String> wanted = new ArrayList<>(bucketColumns());
        sortColumns().forEach(column -> wanted.add(column.name()));
        wanted.stream().filter(name -> !names.contains(name)).findFirst().ifPresent(name -> {
            SyntaxNode clause =
                    statement.first(HiveParser.TOK_ALTERTABLE_BUCKETS).orElseThrow();
            throw CompileErrors.plain(
                            clause.position(),
                            StandardErrorCode.COLUMN_NOT_FOUND,
                            ErrorMsg.INVALID_COLUMN,
                            ErrorMsg.INVALID_COLUMN.getMsg() + "  '" + name + "'")
                    .withHint("columns are " + String.join(", ", names));
        });
    }

    private static StorageDescriptor.SortColumn sortColumn(SyntaxNode node) {
        SyntaxNode nulls = node.child(0);
        SyntaxNode name = nulls.childCount() > 0 ? nulls.child(0) : nulls;
        return new StorageDescriptor.SortColumn(SyntaxText.identifier(name), node.is(HiveParser.TOK_TABSORTCOLNAMEASC));
    }

    /** Returns the table's location from the statement, after checking it. */
    public Optional<String> location(PathPolicy paths) {
        return statement
                .first(HiveParser.TOK_TABLELOCATION)
                .map(node -> paths.check(
                        SyntaxText.string(node.child(0)), node.child(0).position()));
    }

    public Optional<String> comment() {
        return statement.first(HiveParser.TOK_TABLECOMMENT).map(node -> SyntaxText.string(node.child(0)));
    }

    public Map<String, String> properties() {
        return statement
                .first(HiveParser.TOK_TABLEPROPERTIES)
                .map(node -> PolicyProperties.unreserved(SyntaxText.properties(node), node.position()))
                .orElse(Map.of());
    }
}
