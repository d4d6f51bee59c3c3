package io.skep.service.flight;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.HiveKeywords;
import io.skep.service.metadata.ServerName;
import java.util.List;
import java.util.Set;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.arrow.flight.sql.SqlInfoBuilder;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlInfo;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The answers to Flight SQL's GetSqlInfo. As over JDBC the server names itself Hive, since clients decide by the name
 * which SQL they send.
 */
final class ServerSqlInfo {
    private static final List<SqlInfo> KNOWN = List.of(
            SqlInfo.FLIGHT_SQL_SERVER_NAME,
            SqlInfo.FLIGHT_SQL_SERVER_VERSION,
            SqlInfo.FLIGHT_SQL_SERVER_ARROW_VERSION,
            SqlInfo.FLIGHT_SQL_SERVER_READ_ONLY,
            SqlInfo.FLIGHT_SQL_SERVER_SQL,
            SqlInfo.FLIGHT_SQL_SERVER_SUBSTRAIT,
            SqlInfo.FLIGHT_SQL_SERVER_TRANSACTION,
            SqlInfo.FLIGHT_SQL_SERVER_CANCEL,
            SqlInfo.SQL_DDL_CATALOG,
            SqlInfo.SQL_DDL_SCHEMA,
            SqlInfo.SQL_DDL_TABLE,
            SqlInfo.SQL_IDENTIFIER_CASE,
            SqlInfo.SQL_IDENTIFIER_QUOTE_CHAR,
            SqlInfo.SQL_QUOTED_IDENTIFIER_CASE,
            SqlInfo.SQL_KEYWORDS,
            SqlInfo.SQL_SEARCH_STRING_ESCAPE,
            SqlInfo.SQL_SCHEMA_TERM,
            SqlInfo.SQL_TRANSACTIONS_SUPPORTED,
            SqlInfo.SQL_SAVEPOINTS_SUPPORTED,
            SqlInfo.SQL_BATCH_UPDATES_SUPPORTED,
            SqlInfo.SQL_NAMED_PARAMETERS_SUPPORTED,
            SqlInfo.SQL_MAX_COLUMN_NAME_LENGTH,
            SqlInfo.SQL_DB_SCHEMA_NAME_LENGTH,
            SqlInfo.SQL_MAX_TABLE_NAME_LENGTH);

    private final SqlInfoBuilder values = new SqlInfoBuilder()
            .withFlightSqlServerName(ServerName.PRODUCT)
            .withFlightSqlServerVersion(ServerName.VERSION)
            .withFlightSqlServerArrowVersion(arrowVersion())
            .withFlightSqlServerReadOnly(false)
            .withFlightSqlServerSql(true)
            .withFlightSqlServerSubstrait(false)
            .withFlightSqlServerTransaction(FlightSql.SqlSupportedTransaction.SQL_SUPPORTED_TRANSACTION_NONE)
            .withFlightSqlServerCancel(false)
            .withSqlDdlCatalog(false)
            .withSqlDdlSchema(true)
            .withSqlDdlTable(true)
            .withSqlIdentifierCase(FlightSql.SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_LOWERCASE)
            .withSqlIdentifierQuoteChar("`")
            .withSqlQuotedIdentifierCase(FlightSql.SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_LOWERCASE)
            .withSqlKeywords(HiveKeywords.list().split(","))
            .withSqlSearchStringEscape("\\")
            .withSqlSchemaTerm("database")
            .withSqlTransactionsSupported(false)
            .withSqlSavepointsSupported(false)
            .withSqlBatchUpdatesSupported(false)
            .withSqlNamedParametersSupported(false)
            .withSqlMaxColumnNameLength(ServerName.MAX_IDENTIFIER)
            .withSqlDbSchemaNameLength(ServerName.MAX_IDENTIFIER)
            .withSqlMaxTableNameLength(ServerName.MAX_IDENTIFIER);

    private static String arrowVersion() {
        String version = FlightRuntimeException.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    /** Sends what a command asks for; what is not known of it is left out, as Flight SQL prescribes. */
    void send(Any command, BufferAllocator memory, FlightProducer.ServerStreamListener listener) {
        Set<Integer> asked;
        try {
            asked = Set.copyOf(command.unpack(FlightSql.CommandGetSqlInfo.class).getInfoList());
        } catch (InvalidProtocolBufferException e) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the message is no CommandGetSqlInfo", e);
        }
        List<Integer> sent = KNOWN.stream()
                .map(SqlInfo::getNumber)
                .filter(one -> asked.isEmpty() || asked.contains(one))
                .toList();
        if (sent.isEmpty()) {
            try (VectorSchemaRoot none = VectorSchemaRoot.create(Schemas.GET_SQL_INFO_SCHEMA, memory)) {
                listener.start(none);
                listener.completed();
            }
        } else {
            values.send(sent, listener);
        }
    }
}
