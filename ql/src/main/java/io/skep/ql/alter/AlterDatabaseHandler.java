package io.skep.ql.alter;

import io.skep.metastore.Database;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrincipalKind;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** ALTER DATABASE name SET DBPROPERTIES, OWNER, LOCATION or MANAGEDLOCATION. */
public final class AlterDatabaseHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode name = statement.child(0);
        Database before = context.database(SyntaxText.identifier(name), name.position());
        Database after = changed(before, statement, context);
        return CommandStatement.of("ALTERDATABASE", () -> context.catalog().alterDatabase(after));
    }

    private static Database changed(Database before, SyntaxNode statement, StatementContext context) {
        SyntaxNode value = statement.child(1);
        Map<String, String> properties = new TreeMap<>(before.properties());
        String location = before.location();
        Optional<String> managed = before.managedLocation();
        String owner = before.owner();
        boolean role = before.ownerIsRole();
        switch (statement.type()) {
            case HiveParser.TOK_ALTERDATABASE_PROPERTIES -> properties.putAll(SyntaxText.properties(value));
            case HiveParser.TOK_ALTERDATABASE_OWNER -> {
                Principal principal = SyntaxText.principal(value);
                owner = principal.name();
                role = principal.kind() == PrincipalKind.ROLE;
            }
            case HiveParser.TOK_ALTERDATABASE_LOCATION ->
                location = context.services().paths().check(SyntaxText.string(value), value.position());
            default ->
                managed = Optional.of(context.services().paths().check(SyntaxText.string(value), value.position()));
        }
        return new Database(
                before.name(), before.comment(), location, managed, owner, role, properties, before.remote());
    }
}
