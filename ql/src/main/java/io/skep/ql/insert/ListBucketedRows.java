package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.metastore.Table;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.statement.ListBucketRules;
import io.skep.ql.statement.StatementContext;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Prepares rows for a table or partition with list buckets. Each row gets an additional column with the number of its
 * folder among {@link io.skep.metastore.ListBuckets#folders}. As in Hive, a row belongs to a frequent value if the
 * texts of its columns are that value. Rows with null belong to no frequent value.
 */
final class ListBucketedRows {
    /** No column of a Hive table has this name, since it is not legal there. */
    private static final String LIST = "$list";

    /** Types whose conversion to text is that of the folder names of Hive. */
    private static final Set<PrimitiveType> TYPES = EnumSet.of(
            PrimitiveType.TINYINT,
            PrimitiveType.SMALLINT,
            PrimitiveType.INT,
            PrimitiveType.BIGINT,
            PrimitiveType.FLOAT,
            PrimitiveType.DOUBLE,
            PrimitiveType.STRING,
            PrimitiveType.DATE,
            PrimitiveType.TIMESTAMP);

    private ListBucketedRows() {}

    /**
     * Returns the skew by which rows are divided; empty if they are not. It is that of a partition which the statement
     * names, and the table's otherwise.
     *
     * @throws SkepException NOT_SUPPORTED for transactional tables, and for columns of some types
     */
    static Optional<Skew> of(Destination destination, StatementContext context) {
        if (destination.isDirectory()) {
            return Optional.empty();
        }
        Table table = destination.table();
        ListBucketRules.refuseTransactional(table, destination.syntax().position());
        Skew skew = partition(destination, context)
                .map(partition -> partition.storage().skew())
                .orElse(table.storage().skew());
        List<String> names = table.columns().stream().map(FieldSchema::name).toList();
        if (!skew.isListBucketed() || !names.containsAll(skew.columns())) {
            return Optional.empty();
        }
        for (FieldSchema column : table.columns()) {
            if (skew.columns().contains(column.name()) && !isSupported(column.type())) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "SKEWED BY with STORED AS DIRECTORIES is not supported for column '" + column.name()
                                        + "' of type " + column.type().displayName() + " of "
                                        + table.qualifiedName())
                        .withHint("ALTER TABLE " + table.name() + " NOT STORED AS DIRECTORIES")
                        .at(destination.syntax().position());
            }
        }
        return Optional.of(skew);
    }

    private static boolean isSupported(SqlType type) {
        return type instanceof CharType
                || type instanceof VarcharType
                || type instanceof DecimalType
                || type == PrimitiveType.BOOLEAN
                || type instanceof PrimitiveType primitive && TYPES.contains(primitive);
    }

    private static Optional<Partition> partition(Destination destination, StatementContext context) {
        Table table = destination.table();
        boolean isNamed = !destination.staticValues().isEmpty()
                && destination.dynamicColumns().isEmpty();
        return isNamed
                        && context.session()
                                .table(table.database(), table.name())
                                .isPresent()
                ? context.catalog()
                        .partition(table, List.copyOf(destination.staticValues().values()))
                : Optional.empty();
    }

    /** @param rows the columns that the destination expects, converted to its types */
    static RelNode numbered(RelNode rows, Skew skew, Destination destination) {
        HiveRexBuilder rex = (HiveRexBuilder) rows.getCluster().getRexBuilder();
        List<FieldSchema> all = destination.table().columns();
        List<String> names = all.stream().map(FieldSchema::name).toList();
        List<RexNode> branches = new ArrayList<>();
        for (int number = 0; number < skew.values().size(); number++) {
            List<RexNode> conditions = new ArrayList<>();
            for (int i = 0; i < skew.columns().size(); i++) {
                int column = names.indexOf(skew.columns().get(i));
                String text = skew.values().get(number).get(i);
                matches(rex.makeInputRef(rows, column), all.get(column).type(), text, rex)
                        .ifPresent(conditions::add);
            }
            if (conditions.size() == skew.columns().size()) {
                branches.add(
                        conditions.size() == 1
                                ? conditions.getFirst()
                                : rex.makeCall(SqlStdOperatorTable.AND, conditions));
                branches.add(number(number, rex));
            }
        }
        branches.add(number(skew.values().size(), rex));
        List<RexNode> columns = new ArrayList<>(rex.identityProjects(rows.getRowType()));
        columns.add(branches.size() == 1 ? branches.getFirst() : rex.makeCall(SqlStdOperatorTable.CASE, branches));
        List<String> given = new ArrayList<>(rows.getRowType().getFieldNames());
        given.add(LIST);
        return LogicalProject.create(rows, List.of(), columns, given, Set.of());
    }

    private static RexNode number(int value, HiveRexBuilder rex) {
        return rex.constant(new Datum.OfLong(value), PrimitiveType.INT);
    }

    /** Returns whether the text of a column is a given one; empty if no value has this text. */
    private static Optional<RexNode> matches(RexNode column, SqlType type, String text, HiveRexBuilder rex) {
        return switch (type) {
            case DecimalType decimal -> {
                // Hive writes decimals without zeros at the end here.
                if (!isPlain(text, decimal)) {
                    yield Optional.empty();
                }
                RexNode value = rex.cast(rex.constant(Datum.ofText(text), PrimitiveType.STRING), type);
                yield Optional.of(rex.makeCall(SqlStdOperatorTable.EQUALS, column, value));
            }
            case PrimitiveType.BOOLEAN ->
                // Hive's conversion makes other texts of booleans than their folders have.
                text.equals("true") || text.equals("false")
                        ? Optional.of(rex.makeCall(
                                SqlStdOperatorTable.EQUALS,
                                column,
                                rex.constant(Datum.ofBoolean(text.equals("true")), PrimitiveType.BOOLEAN)))
                        : Optional.empty();
            case CharType padded ->
                // Hive compares the padded text.
                text.codePointCount(0, text.length()) == padded.length()
                        ? Optional.of(equal(column, text.replaceAll(" +$", ""), rex))
                        : Optional.empty();
            default -> Optional.of(equal(column, text, rex));
        };
    }

    private static RexNode equal(RexNode column, String text, HiveRexBuilder rex) {
        RexNode shown = rex.cast(column, PrimitiveType.STRING);
        return rex.makeCall(SqlStdOperatorTable.EQUALS, shown, rex.constant(Datum.ofText(text), PrimitiveType.STRING));
    }

    private static boolean isPlain(String text, DecimalType type) {
        try {
            BigDecimal value = new BigDecimal(text);
            BigDecimal plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
            return plain.toPlainString().equals(text) && plain.scale() <= type.scale();
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
