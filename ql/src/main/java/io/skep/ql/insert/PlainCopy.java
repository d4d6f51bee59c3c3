package io.skep.ql.insert;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.session.TemporaryTables;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rows of a transactional table as files of a plain one, without identifiers and deleted rows. As in Hive it is an
 * INSERT into a temporary table, so one query with one snapshot reads all partitions.
 *
 * @param table a transactional table
 * @param values of the partition columns that are wanted, by column; other columns may have any value
 */
public record PlainCopy(Table table, Map<String, String> values) {
    public PlainCopy {
        values = Map.copyOf(values);
    }

    /**
     * Writes the rows. Does not begin the commit of the statement.
     *
     * @param folder an empty folder of the statement
     * @return the partitions that have rows, in folders in this one; none for a table without partitions
     */
    public List<Partition> write(String folder, CommandRun run, StatementContext context) {
        Table plain = plain(folder, context);
        TemporaryTables tables = context.session().temporaryTables();
        tables.put(plain, List.of());
        try {
            SyntaxNode insert = new HiveSqlParser(context.settings().explicit()).parse(statement(plain));
            try (SqlStatement writing = QueryHandler.ofServer(insert, context)) {
                boolean _ = run.runQuery(writing, () -> {
                    writing.run(line -> run.log(line));
                    return true;
                });
            }
            return tables.contents(plain).stream()
                    .flatMap(contents -> contents.partitions().values().stream())
                    .toList();
        } finally {
            tables.remove(plain.database(), plain.name());
        }
    }

    private Table plain(String folder, StatementContext context) {
        StorageDescriptor own = table.storage();
        StorageDescriptor storage = new StorageDescriptor(
                own.columns(),
                folder,
                own.format(),
                own.compressed(),
                own.buckets(),
                own.bucketColumns(),
                own.sortColumns());
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.keySet().removeIf(name -> name.startsWith("transactional"));
        properties.put("EXTERNAL", "TRUE");
        Table named = Revision.named(
                table, table.database(), table.name() + "__temp_table_for_export__" + context.nextName());
        return Revision.kind(named, Table.TableKind.EXTERNAL_TABLE)
                .withStorage(storage)
                .withProperties(properties);
    }

    private String statement(Table plain) {
        String columns = Stream.concat(table.storage().columns().stream(), table.partitionKeys().stream())
                .map(column -> HiveSqlParser.quoted(column.name()))
                .collect(Collectors.joining(", "));
        String condition = table.partitionKeys().stream()
                .filter(key -> values.containsKey(key.name()))
                .map(key -> condition(key, values.getOrDefault(key.name(), "")))
                .collect(Collectors.joining(" and "));
        return "insert into table " + quoted(plain) + " select " + columns + " from " + quoted(table)
                + (condition.isEmpty() ? "" : " where " + condition);
    }

    private static String condition(FieldSchema key, String value) {
        String column = HiveSqlParser.quoted(key.name());
        return value.equals(PartitionName.DEFAULT_PARTITION)
                ? column + " is null"
                : column + " = cast(" + HiveSqlParser.literal(value) + " as "
                        + key.type().displayName() + ")";
    }

    private static String quoted(Table table) {
        return HiveSqlParser.quoted(table.database(), table.name());
    }
}
