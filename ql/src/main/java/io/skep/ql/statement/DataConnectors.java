package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.connector.DataConnector;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** The data connectors that statements name. */
public final class DataConnectors {
    private DataConnectors() {}

    /** @throws SkepException CONNECTOR_NOT_FOUND */
    public static DataConnector require(SyntaxNode name, StatementContext context) {
        String wanted = SyntaxText.identifier(name);
        return context.services().connectors().find(wanted).orElseThrow(() -> notFound(name.position(), wanted));
    }

    public static SkepException notFound(TextPosition where, String name) {
        ErrorMsg error = ErrorMsg.DATACONNECTOR_NOT_EXISTS;
        return CompileErrors.plain(where, StandardErrorCode.CONNECTOR_NOT_FOUND, error, error.getMsg() + " " + name);
    }

    /**
     * Returns the URL of a connector.
     *
     * @param literal the text
     * @throws SkepException INVALID_ARGUMENT if it has no scheme
     */
    public static String url(SyntaxNode literal) {
        String url = SyntaxText.string(literal);
        if (!hasScheme(url)) {
            throw CompileErrors.namedTask(
                    literal.position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    "Invalid path " + url);
        }
        return url;
    }

    private static boolean hasScheme(String url) {
        try {
            return new URI(url).getScheme() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
