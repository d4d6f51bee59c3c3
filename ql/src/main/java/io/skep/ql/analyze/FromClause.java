package io.skep.ql.analyze;

import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TableSample;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes the sources of a query: tables, views, common tables, subqueries, joins of them, and lateral views. */
final class FromClause {
    private final Environment environment;
    private final RelFactory factory;
    private final Optional<Resolver> outer;

    FromClause(Environment environment, Optional<Resolver> outer) {
        this.environment = environment;
        this.factory = environment.factory();
        this.outer = outer;
    }

    Scope analyze(SyntaxNode source) {
        return switch (source.type()) {
            case HiveParser.TOK_TABREF -> tableReference(source);
            case HiveParser.TOK_SUBQUERY -> subquery(source);
            case HiveParser.TOK_LATERAL_VIEW, HiveParser.TOK_LATERAL_VIEW_OUTER -> lateralView(source);
            case HiveParser.TOK_JOIN,
                    HiveParser.TOK_CROSSJOIN,
                    HiveParser.TOK_LEFTOUTERJOIN,
                    HiveParser.TOK_RIGHTOUTERJOIN,
                    HiveParser.TOK_FULLOUTERJOIN,
                    HiveParser.TOK_LEFTSEMIJOIN,
                    HiveParser.TOK_LEFTANTISEMIJOIN -> join(source);
            case HiveParser.TOK_UNIQUEJOIN -> new UniqueJoins(environment, outer).analyze(source, this);
            case HiveParser.TOK_PTBLFUNCTION -> new PartitionedFunctions(environment, outer).analyze(source, this);
            default -> throw SemanticErrors.notSupported(source, "'" + source.text() + "' in FROM");
        };
    }

    private Scope join(SyntaxNode node) {
        Scope left = analyze(node.child(0));
        Scope right = analyze(node.child(1));
        for (ScopeColumn column : right.columns()) {
            if (!column.table().isEmpty() && left.hides(column.database(), column.table())) {
                throw SemanticErrors.at(alias(node.child(1)), ErrorMsg.AMBIGUOUS_TABLE_ALIAS)
                        .withHint("give one of them another alias");
            }
        }
        return new Joins(environment, outer).join(node, left, right);
    }

    /** Returns the node that names a source: its alias, or else the last part of the table's name. */
    static SyntaxNode alias(SyntaxNode source) {
        if (source.is(HiveParser.TOK_TABREF)) {
            return source.first(HiveParser.Identifier)
                    .orElseGet(() -> source.child(0).children().getLast());
        }
        return source.is(HiveParser.TOK_SUBQUERY) && source.childCount() > 1 ? source.child(1) : source;
    }

    /** Analyzes a lateral view. The first child of the node is the function, the second one is its source. */
    private Scope lateralView(SyntaxNode node) {
        return new LateralViews(environment).apply(node, analyze(node.child(1)));
    }

    private Scope subquery(SyntaxNode node) {
        String alias = node.childCount() > 1 ? Names.of(node.child(1)) : "";
        if (node.childCount() > 1) {
            environment.named(node.child(1));
        }
        Relation relation = environment.analyze(node.child(0), Optional.empty());
        return new Scope(factory, relation.rel(), relation.as(alias), outer);
    }

    /** Analyzes TOK_TABREF: name, optional sample, properties, alias. */
    private Scope tableReference(SyntaxNode node) {
        refuseTimeTravel(node);
        SyntaxNode name = node.child(0);
        Optional<SyntaxNode> aliasNode = node.first(HiveParser.Identifier);
        String plain = Names.of(name.children().getLast());
        String alias = aliasNode.map(Names::of).orElse(plain);
        aliasNode.ifPresent(environment::named);
        Optional<SplitSample> ofScan =
                node.first(HiveParser.TOK_TABLESPLITSAMPLE).map(clause -> SplitSample.of(clause, environment));
        Scope scope = source(name, plain, alias, ofScan);
        return node.first(HiveParser.TOK_TABLEBUCKETSAMPLE)
                .map(clause -> BucketSample.apply(clause, scope, environment))
                .orElse(scope);
    }

    private static void refuseTimeTravel(SyntaxNode node) {
        for (SyntaxNode clause : node.children()) {
            switch (clause.type()) {
                case HiveParser.TOK_AS_OF_TIME,
                        HiveParser.TOK_AS_OF_VERSION,
                        HiveParser.TOK_AS_OF_TAG,
                        HiveParser.TOK_FROM_VERSION -> {
                    ErrorMsg error = ErrorMsg.TIME_TRAVEL_NOT_ALLOWED;
                    throw SemanticErrors.plain(
                            clause,
                            error,
                            error.format(Names.of(node.child(0).children().getLast())));
                }
                default -> {}
            }
        }
    }

    private Scope source(SyntaxNode name, String plain, String alias, Optional<SplitSample> sample) {
        if (name.childCount() == 1) {
            Optional<CommonTables.Definition> common =
                    environment.commonTables().find(plain);
            if (common.isPresent()) {
                Relation relation = common.get().relation(name, environment);
                environment.expansion().add(name, relation.rel());
                Scope rows = new Scope(factory, relation.rel(), relation.as(alias), outer);
                return sample.map(part -> part.ofQuery(rows, factory)).orElse(rows);
            }
        }
        String database = name.childCount() > 1 ? Names.of(name.child(0)) : environment.database();
        Table table = find(name, database, plain);
        environment.inputs().add(table.qualifiedName());
        environment.named().table(table);
        environment
                .edits()
                .add(TextEdit.of(name, TextEdit.quoted(table.database()) + "." + TextEdit.quoted(table.name())));
        environment.refuseCycle(name, table);
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW) {
            Scope rows = Policies.apply(name, table, view(name, table, alias), environment);
            return sample.map(part -> part.ofQuery(rows, factory)).orElse(rows);
        }
        Scope rows = table(table, sample.map(SplitSample::sample), alias, factory, outer);
        return Policies.apply(name, table, rows, environment);
    }

    private Table find(SyntaxNode name, String database, String plain) {
        Optional<Table> table = environment.context().table(database, plain);
        if (table.isPresent()) {
            return table.get();
        }
        List<String> tables = environment.context().databaseExists(database)
                ? environment.context().tableNames(database)
                : List.of();
        throw SemanticErrors.tableNotFound(name, plain, tables);
    }

    /** Returns the columns of a table over a scan of its rows as they are stored. */
    static Scope table(Table table, String alias, RelFactory factory, Optional<Resolver> outer) {
        return table(table, Optional.empty(), alias, factory, outer);
    }

    private static Scope table(
            Table table, Optional<TableSample> sample, String alias, RelFactory factory, Optional<Resolver> outer) {
        List<ScopeColumn> columns = new ArrayList<>();
        SkepTable.storedColumns(table)
                .forEach(column -> columns.add(new ScopeColumn(table.database(), alias, column.name(), true, false)));
        for (VirtualColumn column : VirtualColumn.values()) {
            columns.add(new ScopeColumn(table.database(), alias, column.column().name(), false, true));
        }
        SkepTable relTable = SkepTable.of(table, sample, factory.types());
        return new Scope(factory, relTable.scan(factory.cluster()), columns, outer);
    }

    private Scope view(SyntaxNode name, Table view, String alias) {
        Relation relation = Views.expand(name, view, environment);
        environment.named().view(view, relation.rel());
        List<ScopeColumn> columns = Views.columns(view).stream()
                .map(column -> new ScopeColumn(view.database(), alias, column.name(), true, false))
                .toList();
        return new Scope(factory, relation.rel(), columns, outer);
    }
}
