package io.skep.storage.table;

import io.skep.common.type.SqlType;

/** A column of a table; the name in lower case. */
public record Column(String name, SqlType type) {}
