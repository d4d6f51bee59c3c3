package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Table;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.storage.table.TableFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The clause STORED BY of CREATE TABLE.
 *
 * @param handler the class of the storage handler
 * @param properties those of the SerDe
 */
record HandlerClause(String handler, Map<String, String> properties, TextPosition where) {
    /** The handlers that Hive's grammar has a word for. */
    private static final Map<String, String> WORDS =
            Map.of("iceberg", "org.apache.iceberg.mr.hive.HiveIcebergStorageHandler");

    /** @throws SkepException for statements and clauses that do not go together with this one */
    static Optional<HandlerClause> of(SyntaxNode statement) {
        return statement.first(HiveParser.TOK_STORAGEHANDLER).map(clause -> {
            SyntaxNode name = clause.child(0);
            String handler = name.is(HiveParser.StringLiteral)
                    ? SyntaxText.string(name)
                    : WORDS.getOrDefault(SyntaxText.identifier(name), name.text());
            refuse(statement, clause, handler);
            Map<String, String> properties = clause.first(HiveParser.TOK_TABLEPROPERTIES)
                    .map(SyntaxText::properties)
                    .orElse(Map.of());
            return new HandlerClause(handler, properties, name.position());
        });
    }

    private static void refuse(SyntaxNode statement, SyntaxNode clause, String handler) {
        TextPosition where = clause.position();
        if (statement.has(HiveParser.TOK_QUERY)) {
            throw CompileErrors.plain(where, StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.CREATE_NON_NATIVE_AS);
        }
        if (clause.has(HiveParser.TOK_FILEFORMAT_GENERIC) || statement.has(HiveParser.TOK_FILEFORMAT_GENERIC)) {
            throw CompileErrors.plain(
                    where,
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.GENERIC_ERROR,
                    "STORED AS is not supported for storage handler " + handler);
        }
        boolean copies = statement
                .first(HiveParser.TOK_LIKETABLE)
                .filter(like -> like.childCount() > 0)
                .isPresent();
        if (copies || statement.has(HiveParser.TOK_LIKEFILE)) {
            throw notSupported("LIKE", where);
        }
        if (CreateTableHandler.isTemporary(statement)) {
            throw notSupported("TEMPORARY", where);
        }
        if (statement.has(HiveParser.TOK_TABLEPARTCOLS) || statement.has(HiveParser.TOK_TABLEPARTCOLSBYSPEC)) {
            throw notSupported("PARTITIONED BY", where);
        }
        if (statement.has(HiveParser.TOK_ALTERTABLE_BUCKETS) || statement.has(HiveParser.TOK_TABLESKEWED)) {
            throw notSupported("CLUSTERED BY and SKEWED BY", where);
        }
    }

    static SkepException notSupported(String what, TextPosition where) {
        return new SkepException(StandardErrorCode.NOT_SUPPORTED, what + " is not supported with STORED BY").at(where);
    }

    /**
     * Returns the format of the table, which has no classes for files.
     *
     * @param written the format without this clause
     * @throws SkepException SEMANTIC_ERROR when there is no such handler
     */
    TableFormat format(TableFormat written, StatementContext context) {
        if (context.access().ofSession().plugin().isPresent()) {
            // Hive asks authorizers about an address that each handler makes of its properties.
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "STORED BY is not supported with an authorizer of the site")
                    .at(where);
        }
        String serde;
        try {
            serde = context.services().handlers().serde(handler);
        } catch (SkepException e) {
            throw e.at(where);
        }
        Map<String, String> all = new TreeMap<>(written.properties());
        all.putAll(properties);
        return new TableFormat("", "", serde, all);
    }

    /**
     * Adds the table's property that names the handler.
     *
     * @param word whether the statement has the word TRANSACTIONAL or MANAGED
     */
    void complete(Map<String, String> tableProperties, boolean word) {
        if (word || "true".equalsIgnoreCase(tableProperties.get("transactional"))) {
            throw notSupported("TRANSACTIONAL", where);
        }
        tableProperties.put(Table.STORAGE_HANDLER, handler);
    }
}
