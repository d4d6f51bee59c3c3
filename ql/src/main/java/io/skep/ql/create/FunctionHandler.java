package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.function.HiveFunctionCatalog;
import io.skep.metastore.Function;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.session.UserFunctions;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** CREATE and DROP [TEMPORARY] FUNCTION, and RELOAD FUNCTIONS. */
public final class FunctionHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        return switch (statement.type()) {
            case HiveParser.TOK_CREATEFUNCTION -> create(statement, context);
            case HiveParser.TOK_DROPFUNCTION -> drop(statement, context);
            default ->
                CommandStatement.changing(
                        "RELOADFUNCTION", run -> context.catalog().functions());
        };
    }

    private static SqlStatement create(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.functionName(statement.child(0));
        String className = SyntaxText.string(statement.child(1));
        List<String> resources = statement
                .first(HiveParser.TOK_RESOURCE_LIST)
                .map(FunctionHandler::jars)
                .orElse(List.of());
        List<Path> files = resources.stream()
                .map(resource -> context.services()
                        .paths()
                        .checkedLocal(resource, statement.child(1).position()))
                .toList();
        UserFunctions functions = context.session().userFunctions();
        if (statement.has(HiveParser.TOK_TEMPORARY)) {
            if (name.contains(".")) {
                throw CompileErrors.plain(
                        statement.child(0).position(),
                        StandardErrorCode.INVALID_ARGUMENT,
                        ErrorMsg.GENERIC_ERROR,
                        "Temporary function cannot be created with a qualified name.");
            }
            return CommandStatement.of("CREATEFUNCTION", () -> {
                files.forEach(functions::addJar);
                functions.checkClass(name, className);
                functions.addTemporary(name, className);
            });
        }
        String database = database(name, statement, context);
        String plain = name.substring(name.indexOf('.') + 1);
        return CommandStatement.changing("CREATEFUNCTION", run -> {
            if (context.catalog().function(database, plain).isPresent()) {
                throw CompileErrors.task(
                        statement.child(0).position(),
                        StandardErrorCode.FUNCTION_EXISTS,
                        ErrorMsg.GENERIC_ERROR,
                        "Function " + name + " exists already");
            }
            run.beginCommit();
            files.forEach(functions::addJar);
            functions.checkClass(name, className);
            long now = context.services().clock().instant().getEpochSecond();
            context.catalog()
                    .createFunction(new Function(
                            database, plain, className, context.session().user(), now, resources));
        });
    }

    private static SqlStatement drop(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.functionName(statement.child(0));
        boolean quiet = statement.has(HiveParser.TOK_IFEXISTS)
                || context.settings().getBoolean("hive.exec.drop.ignorenonexistent");
        if (statement.has(HiveParser.TOK_TEMPORARY)) {
            return CommandStatement.of("DROPFUNCTION", () -> {
                if (!context.session().userFunctions().dropTemporary(name) && !quiet) {
                    throw notFound(name, statement);
                }
            });
        }
        String database = database(name, statement, context);
        String plain = name.substring(name.indexOf('.') + 1);
        if (HiveFunctionCatalog.isBuiltIn(name)
                && context.catalog().function(database, plain).isEmpty()) {
            throw CompileErrors.plain(
                    statement.child(0).position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.DROP_NATIVE_FUNCTION,
                    ErrorMsg.DROP_NATIVE_FUNCTION.getMsg() + " " + name);
        }
        return CommandStatement.changing("DROPFUNCTION", run -> {
            if (context.catalog().function(database, plain).isPresent()) {
                run.beginCommit();
                context.catalog().dropFunction(database, plain);
            } else if (!quiet) {
                throw notFound(name, statement);
            }
        });
    }

    private static SkepException notFound(String name, SyntaxNode statement) {
        return CompileErrors.plain(
                statement.child(0).position(),
                StandardErrorCode.FUNCTION_NOT_FOUND,
                ErrorMsg.INVALID_FUNCTION,
                "Function " + name + " does not exist.");
    }

    private static String database(String name, SyntaxNode statement, StatementContext context) {
        int dot = name.indexOf('.');
        String database = dot > 0 ? name.substring(0, dot) : context.session().currentDatabase();
        context.database(database, statement.child(0).position());
        return database;
    }

    private static List<String> jars(SyntaxNode list) {
        return list.children().stream()
                .map(resource -> {
                    if (!resource.child(0).is(HiveParser.TOK_JAR)) {
                        throw new SkepException(
                                        StandardErrorCode.NOT_SUPPORTED,
                                        "resources of functions other than jars are not supported")
                                .at(resource.position());
                    }
                    return SyntaxText.string(resource.child(1));
                })
                .toList();
    }
}
