package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * ANALYZE TABLE name CACHE METADATA, which no metastore on a relational database can do. Daemons cache the metadata of
 * files that they read.
 */
public final class CacheMetadataHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        context.queriedTable(statement.child(0).child(0));
        SkepException refused = CompileErrors.task(
                        statement.position(),
                        StandardErrorCode.NOT_SUPPORTED,
                        ErrorMsg.GENERIC_ERROR,
                        "Caching file metadata is not supported by metastore or for this file format")
                .withHint("daemons cache it as they read the files");
        return CommandStatement.of("CACHE_METADATA", () -> {
            throw refused;
        });
    }
}
