package io.skep.service.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.HiveKeywords;
import io.skep.service.metadata.ServerName;
import org.apache.hive.service.rpc.thrift.TGetInfoType;
import org.apache.hive.service.rpc.thrift.TGetInfoValue;

/** The answers to GetInfo, which are Hive's. */
final class ServerInfo {
    private ServerInfo() {}

    static TGetInfoValue value(TGetInfoType type) {
        return switch (type) {
            case CLI_SERVER_NAME -> TGetInfoValue.stringValue("Hive");
            case CLI_DBMS_NAME -> TGetInfoValue.stringValue(ServerName.PRODUCT);
            case CLI_DBMS_VER -> TGetInfoValue.stringValue(ServerName.VERSION);
            case CLI_MAX_COLUMN_NAME_LEN, CLI_MAX_SCHEMA_NAME_LEN, CLI_MAX_TABLE_NAME_LEN ->
                TGetInfoValue.lenValue(ServerName.MAX_IDENTIFIER);
            case CLI_ODBC_KEYWORDS -> TGetInfoValue.stringValue(HiveKeywords.list());
            default ->
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "Unrecognized GetInfoType value: " + type.name());
        };
    }
}
