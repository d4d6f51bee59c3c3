package io.skep.storage.table;

import io.skep.common.type.SqlType;

/** A column of a table. The name is in lower case. */
public record Column(String name, SqlType type) {}
