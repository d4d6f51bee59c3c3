package io.skep.ql.query;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.metastore.Catalog;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.analyze.ColumnReads;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.optimize.Repeatability;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.reuse.DependencyTrackingContext;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.storage.format.FileFormat;
import io.skep.storage.parquet.ParquetFileFormat;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.VirtualColumn;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Determines what is known of the rows of a materialized view. */
public final class ViewAlgebra {
    private static final Logger LOG = LoggerFactory.getLogger(ViewAlgebra.class);

    private ViewAlgebra() {}

    /**
     * Whether the view's files return each value as it was written. Texts of lines do not, nor timestamps in Parquet
     * files, which a session may store with fewer digits, nor texts that are names of partitions: NULL and the empty
     * text have one name.
     */
    public static boolean keepsValues(Table view, Catalog catalog) {
        FileFormat format = FileFormats.of(view.storage().format());
        boolean kept = format.equals(FileFormats.ORC)
                || format instanceof ParquetFileFormat
                        && view.columns().stream()
                                .noneMatch(column -> column.type().displayName().contains("timestamp"));
        return kept
                && (view.partitionKeys().isEmpty()
                        || catalog.partitionNames(view).stream()
                                .noneMatch(partition -> partition.contains(PartitionName.DEFAULT_PARTITION)));
    }

    /**
     * Returns the algebra of a view's query, without row filters, masks and what the session could change. Empty if its
     * rows depend on more than the rows of its tables, such as the time, the user or the names of files, if they do not
     * have the types of the view's columns, or if the query cannot be compiled any more.
     */
    public static Optional<RelNode> repeatable(Table view, RelFactory factory, StatementContext context) {
        AnalysisContext server = SessionAnalysisContext.ofServer(context).forPolicies();
        DependencyTrackingContext tracked =
                new DependencyTrackingContext(server, context.services().catalog());
        String text = view.viewExpandedText().or(view::viewOriginalText).orElse("");
        AnalyzedQuery query;
        try {
            query = QueryAnalyzer.ofView(view.qualifiedName(), tracked, factory)
                    .analyze(new HiveSqlParser(Map.of()).parse(text));
        } catch (SkepException e) {
            Interruption.check();
            LOG.debug("the rows of materialized view {} are not known: {}", view.qualifiedName(), e.fullMessage());
            return Optional.empty();
        }
        boolean typed = query.types()
                .equals(SkepTable.storedColumns(view).stream()
                        .map(FieldSchema::type)
                        .toList());
        return typed
                        && !tracked.dependsOnSession()
                        && ColumnReads.ofTables(query.rel()).stream().noneMatch(ViewAlgebra::readsVirtualColumns)
                        && Repeatability.of(query.rel())
                ? Optional.of(query.rel())
                : Optional.empty();
    }

    /** A compaction changes virtual columns of rows, and no write id says so. */
    private static boolean readsVirtualColumns(ColumnRead read) {
        Set<String> names = new HashSet<>(read.columns());
        SkepTable.storedColumns(read.table()).forEach(column -> names.remove(column.name()));
        return Arrays.stream(VirtualColumn.values())
                .anyMatch(column -> names.contains(column.column().name()));
    }
}
