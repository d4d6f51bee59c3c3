package io.skep.ql.alter;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.create.SchemaColumns;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.statement.Formats;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableDefinition;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.table.TableFormat;
import io.skep.storage.text.TextFileFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Changes the storage of a table or partition: SerDe, format, location, buckets. Files stay as they are. */
final class AlterStorage {
    private AlterStorage() {}

    static Runnable apply(Alteration alteration, UnaryOperator<StorageDescriptor> change) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        if (alteration.partition().isEmpty()) {
            Table changed = SchemaColumns.in(Revision.storage(table, change.apply(table.storage())));
            Table counted = Revision.properties(
                    changed, stillExact(table.properties(), table.storage(), changed.storage(), table, changed));
            return () -> TableStore.replace(table, counted, false, context);
        }
        Partition partition =
                PartitionSpec.of(table, alteration.partition().get(), context).partition(context);
        Partition changed = Revision.storage(partition, change.apply(partition.storage()));
        Partition counted = Revision.properties(
                changed, stillExact(partition.properties(), partition.storage(), changed.storage(), table, table));
        return () -> context.catalog().alterPartitions(table, List.of(counted));
    }

    /**
     * Returns the properties of a table or partition, with its statistics marked inexact if its location or format
     * changes, since its values may differ from those counted.
     *
     * @param table the table of {@code storage}
     * @param changed the table of {@code after}
     */
    static Map<String, String> stillExact(
            Map<String, String> properties,
            StorageDescriptor storage,
            StorageDescriptor after,
            Table table,
            Table changed) {
        boolean isSame = storage.location().equals(after.location())
                && TableLayouts.format(storage, table).equals(TableLayouts.format(after, changed));
        return isSame ? properties : StatisticsProperties.uncertain(properties);
    }

    private static StorageDescriptor withFormat(
            StorageDescriptor storage, String serde, Map<String, String> properties) {
        TableFormat format = storage.format();
        return Revision.format(
                storage, new TableFormat(format.inputFormat(), format.outputFormat(), serde, properties));
    }

    static Runnable serde(Alteration alteration) {
        SyntaxNode clause = alteration.clause();
        String serde = SyntaxText.string(clause.child(0));
        Formats.checkSerde(serde, clause.child(0).position());
        if (!serde.equals(ColumnTypeChanges.format(alteration).serde())) {
            ColumnTypeChanges.checkSerde(alteration);
        }
        return apply(alteration, storage -> {
            Map<String, String> properties = new TreeMap<>(storage.format().properties());
            if (clause.childCount() > 1) {
                properties.putAll(SyntaxText.properties(clause.child(1)));
            }
            return withFormat(storage, serde, properties);
        });
    }

    static Runnable serdeProperties(Alteration alteration) {
        Map<String, String> set = SyntaxText.properties(alteration.clause().child(0));
        return apply(alteration, storage -> {
            Map<String, String> properties = new TreeMap<>(storage.format().properties());
            properties.putAll(set);
            return withFormat(storage, storage.format().serde(), properties);
        });
    }

    static Runnable unsetSerdeProperties(Alteration alteration) {
        Map<String, String> named = SyntaxText.properties(alteration.clause().child(0));
        return apply(alteration, storage -> {
            Map<String, String> properties = new TreeMap<>(storage.format().properties());
            properties.keySet().removeAll(named.keySet());
            return withFormat(storage, storage.format().serde(), properties);
        });
    }

    static Runnable fileFormat(Alteration alteration) {
        SyntaxNode format = alteration.clause().child(0);
        boolean named = format.is(HiveParser.TOK_FILEFORMAT_GENERIC);
        HiveClasses files = named
                ? Formats.named(format.child(0).text(), alteration.context().settings())
                : new HiveClasses(
                        SyntaxText.string(format.child(0)),
                        SyntaxText.string(format.child(1)),
                        format.childCount() > 2 ? Optional.of(SyntaxText.string(format.child(2))) : Optional.empty());
        if (!named) {
            Formats.checkFiles(files, format.child(0).position());
            files.serde()
                    .ifPresent(
                            serde -> Formats.checkSerde(serde, format.child(2).position()));
        }
        if (!files.inputFormat().equals(ColumnTypeChanges.format(alteration).inputFormat())) {
            ColumnTypeChanges.checkFormat(alteration);
        }
        return apply(alteration, storage -> {
            String serde = files.serde()
                    .orElse(
                            named
                                    ? TextFileFormat.LAZY_SIMPLE_SERDE
                                    : storage.format().serde());
            return Revision.format(
                    storage,
                    new TableFormat(
                            files.inputFormat(),
                            files.outputFormat(),
                            serde,
                            storage.format().properties()));
        });
    }

    static Runnable location(Alteration alteration) {
        SyntaxNode path = alteration.clause().child(0);
        String location = alteration.context().services().paths().check(SyntaxText.string(path), path.position());
        return apply(alteration, storage -> Revision.location(storage, location));
    }

    static Runnable buckets(Alteration alteration) {
        SyntaxNode clause = alteration.clause();
        if (clause.has(HiveParser.TOK_NOT_CLUSTERED)) {
            return apply(alteration, storage -> Revision.buckets(storage, -1, List.of(), List.of()));
        }
        if (clause.has(HiveParser.TOK_NOT_SORTED)) {
            return apply(
                    alteration,
                    storage -> Revision.buckets(storage, storage.buckets(), storage.bucketColumns(), List.of()));
        }
        if (clause.is(HiveParser.TOK_ALTERTABLE_CLUSTER_SORT)) {
            TableDefinition definition = new TableDefinition(clause);
            definition.checkBuckets(alteration.table().columns());
            return apply(
                    alteration,
                    storage -> Revision.buckets(
                            storage, definition.buckets(), definition.bucketColumns(), definition.sortColumns()));
        }
        if (alteration.table().storage().bucketColumns().isEmpty()) {
            ErrorMsg error = ErrorMsg.ALTER_BUCKETNUM_NONBUCKETIZED_TBL;
            throw CompileErrors.plain(clause.position(), StandardErrorCode.SEMANTIC_ERROR, error);
        }
        int count = Integer.parseInt(clause.child(0).text());
        return apply(
                alteration,
                storage -> Revision.buckets(storage, count, storage.bucketColumns(), storage.sortColumns()));
    }
}
