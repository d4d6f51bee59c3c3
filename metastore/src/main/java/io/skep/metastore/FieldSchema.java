package io.skep.metastore;

import io.skep.common.type.SqlType;
import java.util.Optional;

/** A column with its comment. */
public record FieldSchema(String name, SqlType type, Optional<String> comment) {}
