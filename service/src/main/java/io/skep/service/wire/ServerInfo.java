package io.skep.service.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.HiveKeywords;
import org.apache.hive.service.rpc.thrift.TGetInfoType;
import org.apache.hive.service.rpc.thrift.TGetInfoValue;

/** The answers to GetInfo. Drivers decide by name and version which SQL they may send, so the answers are Hive's. */
final class ServerInfo {
    static final String HIVE_VERSION = "4.0.1";

    private ServerInfo() {}

    static TGetInfoValue value(TGetInfoType type) {
        return switch (type) {
            case CLI_SERVER_NAME -> TGetInfoValue.stringValue("Hive");
            case CLI_DBMS_NAME -> TGetInfoValue.stringValue("Apache Hive");
            case CLI_DBMS_VER -> TGetInfoValue.stringValue(HIVE_VERSION);
            case CLI_MAX_COLUMN_NAME_LEN, CLI_MAX_SCHEMA_NAME_LEN, CLI_MAX_TABLE_NAME_LEN ->
                TGetInfoValue.lenValue(128);
            case CLI_ODBC_KEYWORDS -> TGetInfoValue.stringValue(HiveKeywords.list());
            default ->
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "Unrecognized GetInfoType value: " + type.name());
        };
    }
}
