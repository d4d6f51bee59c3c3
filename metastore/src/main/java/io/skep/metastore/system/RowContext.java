package io.skep.metastore.system;

import io.skep.common.config.SecretSettings;
import java.time.ZoneId;

/**
 * What values depend on besides the metastore's database.
 *
 * @param zone the time zone in which times are written
 * @param secrets tells which properties are not shown
 */
public record RowContext(ZoneId zone, SecretSettings secrets) {}
