package io.skep.service.session;

import io.skep.ql.SqlStatement;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A client's call for metadata, which runs as a statement that the server makes itself.
 *
 * @param name the name of the call, while there is no statement
 * @param arguments what it asks for, such as patterns of names, for the audit log
 */
public record MetadataCall(String name, Map<String, String> arguments, Supplier<SqlStatement> statement) {
    public MetadataCall {
        arguments = Map.copyOf(arguments);
    }
}
