package io.skep.ql.insert;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.Formats;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.PartitionValues;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * A LOAD whose files cannot become the table's as they are, since their rows have to be divided among buckets or
 * partitions. As in Hive it is an INSERT from a temporary table over the files, which stay where they are. Values of
 * partition columns that the statement does not give are the last ones of each row.
 *
 * @param columns of the files
 * @param partition values of the partition columns; empty where the files give them
 * @param format the format of the files
 * @param sourcesLook fails when a file has become another table's
 */
record LoadAsInsert(
        Table table,
        List<FieldSchema> columns,
        Map<String, Optional<String>> partition,
        LoadSource source,
        TableFormat format,
        boolean local,
        boolean overwrite,
        Runnable sourcesLook) {
    /** Whether the PARTITION clause leaves partition columns to the files. */
    static boolean infersPartitions(Table table, SyntaxNode target) {
        Optional<SyntaxNode> spec = target.first(HiveParser.TOK_PARTSPEC);
        return !table.partitionKeys().isEmpty()
                && (spec.isEmpty()
                        || spec.get().childCount() < table.partitionKeys().size()
                        || spec.get().children().stream().anyMatch(value -> value.childCount() < 2));
    }

    /** Returns the values of the PARTITION clause by partition column, in the order of the table. */
    static Map<String, Optional<String>> values(Table table, SyntaxNode target, StatementContext context) {
        Map<String, SyntaxNode> given = new LinkedHashMap<>();
        target.first(HiveParser.TOK_PARTSPEC)
                .ifPresent(spec ->
                        spec.children().forEach(value -> given.put(SyntaxText.identifier(value.child(0)), value)));
        Set<String> named = Set.copyOf(given.keySet());
        Map<String, Optional<String>> values = new LinkedHashMap<>();
        for (FieldSchema key : table.partitionKeys()) {
            Optional<SyntaxNode> value = Optional.ofNullable(given.remove(key.name()));
            values.put(
                    key.name(),
                    value.filter(node -> node.childCount() > 1)
                            .map(node -> PartitionValues.of(node.child(1), key, context)));
        }
        if (!given.isEmpty()) {
            throw PartitionSpec.notOfPartitions(
                    table, target.first(HiveParser.TOK_PARTSPEC).orElse(target));
        }
        Destination.requireAll(table, named, target);
        return values;
    }

    static List<FieldSchema> columns(Table table, Map<String, Optional<String>> partition) {
        List<FieldSchema> columns = new ArrayList<>(table.columns());
        table.partitionKeys().stream()
                .filter(key ->
                        partition.getOrDefault(key.name(), Optional.empty()).isEmpty())
                .forEach(columns::add);
        return columns;
    }

    /** Returns the format that INPUTFORMAT ... SERDE names. */
    static Optional<TableFormat> namedFormat(SyntaxNode statement, TableFormat ofTable) {
        return statement.first(HiveParser.TOK_INPUTFORMAT).map(clause -> {
            String serde = SyntaxText.string(clause.child(1));
            Formats.checkSerde(serde, clause.child(1).position());
            return new TableFormat(
                    SyntaxText.string(clause.child(0)),
                    ofTable.outputFormat(),
                    serde,
                    Map.of("serialization.format", "1"));
        });
    }

    void run(CommandRun run, StatementContext context) {
        String staging = table.storage().location() + "/" + StagingFolders.PREFIX + context.nextName();
        TableCommits commits = context.services().commits();
        commits.checkPlace(staging);
        commits.folders().note(staging);
        Table files = files(isFolder() ? source.path() : staging, context);
        try {
            if (!isFolder()) {
                context.access()
                        .ofSession()
                        .files()
                        .giveFolders(
                                List.of(staging),
                                () -> context.services().files().makeDirectory(staging));
                LoadedFile.near(source.files(), true, staging, staging, context);
            }
            sourcesLook.run();
            context.session().temporaryTables().put(files, List.of());
            SyntaxNode insert = new HiveSqlParser(context.settings().explicit()).parse(statement(files));
            QueryHandler.run(QueryHandler.ofServer(insert, context), run);
        } finally {
            context.session().temporaryTables().remove(files.database(), files.name());
            commits.folders().delete(staging);
        }
    }

    /** Whether the files are read where they are. Other daemons may not reach files of this machine. */
    private boolean isFolder() {
        return !local && source.files().stream().allMatch(file -> file.path().startsWith(source.path() + "/"));
    }

    private Table files(String location, StatementContext context) {
        StorageDescriptor storage = new StorageDescriptor(columns, location, format, false, -1, List.of(), List.of());
        Table named = Revision.named(
                table, table.database(), table.name() + "__temp_table_for_load_data__" + context.nextName());
        return Revision.kind(Revision.partitionKeys(named, List.of()), Table.TableKind.EXTERNAL_TABLE)
                .withStorage(storage)
                .withProperties(Map.of("EXTERNAL", "TRUE"));
    }

    private String statement(Table files) {
        String clause = partition.isEmpty()
                ? ""
                : partition.entrySet().stream()
                        .map(entry -> HiveSqlParser.quoted(entry.getKey())
                                + entry.getValue()
                                        .map(value -> " = " + HiveSqlParser.literal(value))
                                        .orElse(""))
                        .collect(Collectors.joining(", ", " partition (", ")"));
        return "insert " + (overwrite ? "overwrite" : "into") + " table " + quoted(table) + clause + " select * from "
                + quoted(files);
    }

    private static String quoted(Table table) {
        return HiveSqlParser.quoted(table.database(), table.name());
    }
}
