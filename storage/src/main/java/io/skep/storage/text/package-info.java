/**
 * Text files in the format of Hive's LazySimpleSerDe: delimited fields, one row per line. Numbers and strings are
 * decoded from the bytes. Every other type is decoded through Hive's own lazy objects, field by field.
 */
@NullMarked
package io.skep.storage.text;

import org.jspecify.annotations.NullMarked;
