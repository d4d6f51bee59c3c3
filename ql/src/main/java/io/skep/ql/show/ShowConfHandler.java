package io.skep.ql.show;

import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** SHOW CONF 'name': the default, the type and the description of a setting of Hive. */
public final class ShowConfHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.string(statement.child(0));
        HiveConf.ConfVars setting = HiveConf.getConfVars(name);
        if (setting == null) {
            throw CompileErrors.task(
                    statement.child(0).position(),
                    StandardErrorCode.INVALID_CONFIGURATION,
                    ErrorMsg.GENERIC_ERROR,
                    "invalid configuration name " + name);
        }
        String description = setting.getDescription().strip().replaceAll("\\s*\n\\s*", " ");
        List<Optional<String>> row = List.of(
                Optional.of(Optional.ofNullable(setting.getDefaultValue()).orElse("")),
                Optional.of(setting.typeString()),
                Optional.of(description));
        return CommandStatement.withText("SHOWCONF", List.of("default", "type", "desc"), log -> List.of(row));
    }
}
