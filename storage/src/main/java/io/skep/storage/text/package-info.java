/**
 * Text files in the form of Hive's LazySimpleSerDe: delimited fields, one row a line. Numbers and strings are decoded
 * from the bytes; every other type goes through Hive's own lazy objects, field by field.
 */
@NullMarked
package io.skep.storage.text;

import org.jspecify.annotations.NullMarked;
