package io.skep.ql;

import io.skep.common.type.SqlType;
import java.util.List;

public record ResultSchema(List<ResultColumn> columns) {
    /** A column of a result; comment may be empty. */
    public record ResultColumn(String name, SqlType type, String comment) {}

    public ResultSchema {
        columns = List.copyOf(columns);
    }
}
