package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.CommandWords;
import io.skep.engine.plan.Script;
import io.skep.engine.plan.ScriptFile;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.StringLiterals;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.ScriptApply;
import io.skep.ql.rel.TypeMapping;
import io.skep.storage.serde.FormatClasses;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.text.TextFileFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Analyzes SELECT TRANSFORM, and MAP and REDUCE, which are other words for it. The children of its node are: the
 * expressions, the format and the writer of the lines to the script, the command, the format and the reader of the
 * lines from it, and the names of the columns that it prints.
 */
final class Transforms {
    private static final int WRITTEN_FORMAT = 1;
    private static final int WRITER = 2;
    private static final int COMMAND = 3;
    private static final int READ_FORMAT = 4;
    private static final int READER = 5;
    private static final int COLUMNS = 6;

    private static final String TEXT_WRITER = "org.apache.hadoop.hive.ql.exec.TextRecordWriter";
    private static final String TEXT_READER = "org.apache.hadoop.hive.ql.exec.TextRecordReader";

    /** What Hive writes to scripts when there is no ROW FORMAT: nested values are JSON. */
    private static final String WRITTEN_SERDE = "org.apache.hadoop.hive.serde2.DelimitedJSONSerDe";

    /** Hive's other readers and writers are refused by name, whether they are on the class path or not. */
    private static final String HIVES_CLASSES = "org.apache.hadoop.hive.";

    private static final String TAB = "9";
    private static final String CONTROL_A = "1";

    private final Environment environment;

    Transforms(Environment environment) {
        this.environment = environment;
    }

    /** @param select TOK_SELECT */
    static Optional<SyntaxNode> of(SyntaxNode select) {
        return select.all(HiveParser.TOK_SELEXPR).stream()
                .filter(item -> item.childCount() > 0)
                .map(item -> item.child(0))
                .filter(value -> value.is(HiveParser.TOK_TRANSFORM))
                .findFirst();
    }

    /** Returns the expressions as a SELECT list. */
    static SyntaxNode inputs(SyntaxNode transform, SyntaxNode select) {
        return select.withChildren(transform.child(0).children().stream()
                .map(value -> new SyntaxNode(
                        HiveParser.TOK_SELEXPR, "", List.of(value), value.position(), value.offset(), value.span()))
                .toList());
    }

    /**
     * Returns the columns that the script prints.
     *
     * @param items the expressions, over the relation of the resolver
     */
    Scope apply(SyntaxNode transform, Resolver resolver, List<SelectItem> items) {
        List<ScriptFile> files = files(transform);
        RelFactory factory = environment.factory();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            names.add("_col" + i);
        }
        RelNode input = Projections.project(
                factory, resolver.scope(), items.stream().map(SelectItem::value).toList(), names);
        List<Column> written = new ArrayList<>();
        List<SqlType> types = TypeMapping.columnTypes(input.getRowType());
        for (int i = 0; i < types.size(); i++) {
            written.add(new Column(names.get(i), types.get(i)));
        }
        List<Column> read = columns(transform);
        Script script = new Script(
                command(transform.child(COMMAND)),
                CommandWords.of(setting("hive.exec.script.wrapper", "")),
                written(transform, written),
                read(transform, read),
                escapes(),
                files);
        List<String> outputs = read.stream().map(Column::name).toList();
        RelNode applied = new ScriptApply(
                factory.cluster(),
                factory.cluster().traitSetOf(Convention.NONE),
                input,
                script,
                factory.types().rowType(outputs, read.stream().map(Column::type).toList()));
        return new Scope(
                factory,
                applied,
                outputs.stream().map(name -> ScopeColumn.of("", name)).toList(),
                resolver.scope().outer());
    }

    private List<ScriptFile> files(SyntaxNode transform) {
        try {
            return environment.context().scriptFiles();
        } catch (SkepException e) {
            throw e.at(transform.position());
        }
    }

    /** The command is what stands between the quotes; backslashes in it are text. */
    private static List<String> command(SyntaxNode literal) {
        List<String> words =
                CommandWords.of(literal.text().substring(1, literal.text().length() - 1));
        if (words.isEmpty()) {
            throw SemanticErrors.semantic(literal, "USING names no program");
        }
        return words;
    }

    private List<Column> columns(SyntaxNode transform) {
        if (transform.childCount() <= COLUMNS) {
            return List.of(new Column("key", PrimitiveType.STRING), new Column("value", PrimitiveType.STRING));
        }
        List<Column> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (SyntaxNode node : transform.child(COLUMNS).children()) {
            boolean typed = node.is(HiveParser.TOK_TABCOL);
            String name = Names.of(typed ? node.child(0) : node);
            if (!names.add(name)) {
                ErrorMsg error = ErrorMsg.COLUMN_ALIAS_ALREADY_EXISTS;
                throw SemanticErrors.plain(node, error, error.getMsg() + " " + name);
            }
            columns.add(new Column(name, typed ? TypeSyntax.of(node.child(1)) : PrimitiveType.STRING));
        }
        return columns;
    }

    private TableLayout written(SyntaxNode transform, List<Column> columns) {
        SyntaxNode writer = transform.child(WRITER);
        check(writer, setting("hive.script.recordwriter", TEXT_WRITER), TEXT_WRITER, "RECORDWRITER");
        TableFormat format = format(transform.child(WRITTEN_FORMAT), columns)
                .orElseGet(() -> new TableFormat("", "", WRITTEN_SERDE, new TreeMap<>(separators())));
        return layout(format, columns);
    }

    private TableLayout read(SyntaxNode transform, List<Column> columns) {
        SyntaxNode reader = transform.child(READER);
        check(reader, setting("hive.script.recordreader", TEXT_READER), TEXT_READER, "RECORDREADER");
        boolean unnamed = transform.childCount() <= COLUMNS;
        TableFormat format = format(transform.child(READ_FORMAT), columns).orElseGet(() -> {
            Map<String, String> properties = new TreeMap<>(separators());
            if (unnamed) {
                properties.put("serialization.last.column.takes.rest", "true");
            }
            String serde = setting("hive.script.serde", TextFileFormat.LAZY_SIMPLE_SERDE);
            checkSerde(transform, serde);
            return new TableFormat("", "", serde, properties);
        });
        return layout(format, columns);
    }

    private static TableLayout layout(TableFormat format, List<Column> columns) {
        return new TableLayout("", format, columns, List.of(), Map.of());
    }

    private boolean escapes() {
        return environment.context().flag("hive.transform.escape.input", false);
    }

    private Map<String, String> separators() {
        return escapes()
                ? Map.of("serialization.format", CONTROL_A)
                : Map.of("serialization.format", TAB, "field.delim", TAB);
    }

    private String setting(String name, String otherwise) {
        String value = environment.context().settings().get(name);
        return value == null || value.isBlank() ? otherwise : value.strip();
    }

    /** Refuses all readers and writers but those of lines. */
    private static void check(SyntaxNode clause, String ofSession, String known, String what) {
        boolean named = clause.childCount() > 0;
        String name = named ? StringLiterals.value(clause.child(0)) : ofSession;
        if (name.equals(known)) {
            return;
        }
        SyntaxNode where = named ? clause.child(0) : clause;
        if (!name.startsWith(HIVES_CLASSES) && !FormatClasses.exists(name)) {
            throw notFound(where, name);
        }
        throw SemanticErrors.error(
                        StandardErrorCode.NOT_SUPPORTED, where, "the " + what + " '" + name + "' is not supported")
                .withHint("scripts read and write lines of text: " + known);
    }

    private static SkepException notFound(SyntaxNode where, String className) {
        return SemanticErrors.plain(where, "java.lang.ClassNotFoundException: " + className)
                .withHint("the class has to be on the class path of servers and daemons");
    }

    private static void checkSerde(SyntaxNode where, String serde) {
        if (!FormatClasses.isSerde(serde)) {
            throw notFound(where, serde);
        }
    }

    /** @param clause TOK_SERDE, which is empty without ROW FORMAT */
    private static Optional<TableFormat> format(SyntaxNode clause, List<Column> columns) {
        if (clause.childCount() == 0) {
            return Optional.empty();
        }
        SyntaxNode rowFormat = clause.child(0);
        Map<String, String> properties = new TreeMap<>(Map.of("serialization.format", CONTROL_A));
        if (rowFormat.is(HiveParser.TOK_SERDEPROPS)) {
            properties.putAll(RowFormats.delimiters(rowFormat));
            return Optional.of(new TableFormat("", "", TextFileFormat.LAZY_SIMPLE_SERDE, properties));
        }
        String serde = StringLiterals.value(rowFormat.child(0));
        checkSerde(rowFormat.child(0), serde);
        rowFormat.children().stream().skip(1).forEach(child -> properties.putAll(StringLiterals.properties(child)));
        TableFormat format = new TableFormat("", "", serde, properties);
        SerdeColumns.refusal(format, columns).ifPresent(words -> {
            throw CompileErrors.plain(
                    rowFormat.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.GENERIC_ERROR, words);
        });
        return Optional.of(format);
    }
}
