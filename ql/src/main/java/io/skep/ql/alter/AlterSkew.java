package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.create.SkewClause;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.ListBucketRules;
import io.skep.ql.statement.SyntaxText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Changes the frequent values of a table, and the folders that are recorded for them. Files stay where they are. */
final class AlterSkew {
    private AlterSkew() {}

    /**
     * The change for SKEWED BY, NOT SKEWED, which has no inner clause, and NOT STORED AS DIRECTORIES. Recorded folders
     * stay, as in Hive.
     */
    static Runnable skew(Alteration alteration) {
        SyntaxNode clause = alteration.clause();
        Table table = alteration.table();
        Skew before = table.storage().skew();
        Optional<SyntaxNode> given = clause.first(HiveParser.TOK_TABLESKEWED);
        Skew after;
        if (given.isPresent()) {
            after = SkewClause.of(given.get(), table.columns()).withLocations(before.locations());
        } else if (clause.has(HiveParser.TOK_STOREDASDIRS)) {
            if (before.columns().isEmpty()) {
                ErrorMsg error = ErrorMsg.ALTER_TBL_STOREDASDIR_NOT_SKEWED;
                throw CompileErrors.plain(
                        clause.position(),
                        StandardErrorCode.SEMANTIC_ERROR,
                        error,
                        error.getMsg() + " " + table.qualifiedName());
            }
            after = before.stored(false);
        } else {
            after = Skew.NONE.withLocations(before.locations());
        }
        ListBucketRules.refuseTransactional(table.withStorage(table.storage().withSkew(after)), clause.position());
        return AlterStorage.apply(alteration, storage -> storage.withSkew(after));
    }

    /** The change for SET SKEWED LOCATION (value = folder, ...), of a table or of a partition. */
    static Runnable locations(Alteration alteration) {
        Map<List<String>, String> given = new HashMap<>();
        collect(alteration.clause(), given);
        return AlterStorage.apply(alteration, storage -> {
            Map<List<String>, String> all = new HashMap<>(storage.skew().locations());
            all.putAll(given);
            return storage.withSkew(storage.skew().withLocations(all));
        });
    }

    private static void collect(SyntaxNode node, Map<List<String>, String> found) {
        if (!node.is(HiveParser.TOK_SKEWED_LOCATION_MAP)) {
            node.children().forEach(child -> collect(child, found));
            return;
        }
        String location = SyntaxText.string(node.child(1));
        requireAbsolute(location, node.child(1));
        found.put(SkewClause.value(node.child(0)), location);
    }

    private static void requireAbsolute(String location, SyntaxNode where) {
        try {
            URI uri = new URI(location);
            if (uri.isAbsolute() && uri.getPath() != null) {
                return;
            }
        } catch (URISyntaxException _) {
            // The same error as for a path without a scheme.
        }
        throw refused(
                where,
                location + " is not absolute or has no scheme information. "
                        + "Please specify a complete absolute uri with scheme information.");
    }

    /**
     * Refuses to rename or retype a skewed column, since its folders are named by it.
     *
     * @throws SkepException SEMANTIC_ERROR
     */
    static void refuseChange(Table table, String column, SyntaxNode where) {
        if (table.storage().skew().columns().contains(column)) {
            throw refused(where, column + ErrorMsg.ALTER_TABLE_NOT_ALLOWED_RENAME_SKEWED_COLUMN.getMsg());
        }
    }

    private static SkepException refused(SyntaxNode where, String words) {
        return CompileErrors.plain(where.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.GENERIC_ERROR, words);
    }
}
