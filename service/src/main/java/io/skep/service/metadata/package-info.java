/**
 * The calls for catalog metadata, whichever protocol they come by: databases, tables, columns, keys, types and
 * functions as rows, with the columns that JDBC prescribes. Only what the session's user may see is in them.
 */
@NullMarked
package io.skep.service.metadata;

import org.jspecify.annotations.NullMarked;
