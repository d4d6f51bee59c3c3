package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableDefinition;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** CREATE TEMPORARY MACRO name(parameters) expression, and DROP TEMPORARY MACRO. */
public final class MacroHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.identifier(statement.child(0));
        if (statement.is(HiveParser.TOK_DROPMACRO)) {
            return drop(name, statement, context);
        }
        if (name.contains(".")) {
            throw CompileErrors.plain(
                    statement.child(0).position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.GENERIC_ERROR,
                    "Temporary macro cannot be created with a qualified name.");
        }
        List<FieldSchema> parameters = statement
                .first(HiveParser.TOK_TABCOLLIST)
                .map(TableDefinition::columns)
                .orElse(List.of());
        SyntaxNode body = statement.child(statement.childCount() - 1);
        List<String> names = parameters.stream().map(FieldSchema::name).toList();
        checkNames(body, names);
        List<SqlType> types = parameters.stream().map(FieldSchema::type).toList();
        checkBody(body, names, types, context);
        AnalysisContext.Macro macro = new AnalysisContext.Macro(names, types, body);
        int length = context.length();
        return CommandStatement.of("CREATEMACRO", () -> context.session().addMacro(name, macro, length));
    }

    private static void checkNames(SyntaxNode body, List<String> parameters) {
        Set<String> used = new TreeSet<>();
        for (SyntaxNode column : body.descendants(HiveParser.TOK_TABLE_OR_COL)) {
            String name = SyntaxText.identifier(column.child(0));
            used.add(name);
            if (!parameters.contains(name)) {
                throw CompileErrors.plain(
                                column.position(),
                                StandardErrorCode.COLUMN_NOT_FOUND,
                                ErrorMsg.GENERIC_ERROR,
                                "'" + name + "' is not a parameter of the macro")
                        .withHint("parameters are " + String.join(", ", parameters));
            }
        }
        if (used.size() != parameters.size()) {
            throw CompileErrors.plain(
                    body.position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.GENERIC_ERROR,
                    "Expected columns " + parameters + " but found " + used);
        }
    }

    /** Resolves the functions and types of the body, so that a macro that cannot be called is not created. */
    private static void checkBody(SyntaxNode body, List<String> names, List<SqlType> types, StatementContext context) {
        RelFactory factory = new RelFactory();
        new QueryAnalyzer(new SessionAnalysisContext(context), factory)
                .analyzeExpression(body, factory.noRows(names, types));
    }

    private static SqlStatement drop(String name, SyntaxNode statement, StatementContext context) {
        boolean quiet = statement.has(HiveParser.TOK_IFEXISTS)
                || context.settings().getBoolean("hive.exec.drop.ignorenonexistent");
        return CommandStatement.of("DROPMACRO", () -> {
            if (!context.session().dropMacro(name) && !quiet) {
                throw CompileErrors.plain(
                        statement.child(0).position(),
                        StandardErrorCode.FUNCTION_NOT_FOUND,
                        ErrorMsg.GENERIC_ERROR,
                        "Macro " + name + " does not exist");
            }
        });
    }
}
