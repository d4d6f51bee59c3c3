/**
 * Functions: the catalog with names and types for the analyzer, and the registry that gives evaluators for plan names.
 *
 * <p>Plan names are Hive's names ({@code +}, {@code index} for {@code []}, {@code negative}, {@code concat}), and
 *
 * <ul>
 *   <li>{@code $field}: a struct or an array of structs, and a field's index as an int constant;
 *   <li>{@code is_distinct_from}: the negation of {@code <=>};
 *   <li>{@code name@class}: a user's function, its class in the plan's resources;
 *   <li>{@code aggregate(1=0.5)}: an aggregate with constant arguments that its class wants to know beforehand.
 * </ul>
 *
 * <p>{@code coalesce}, {@code nvl}, {@code if}, {@code when}, {@code and} and {@code or} are evaluated row by row as needed, by
 * the expression compiler. What depends on the session and not on rows (current_user, logged_in_user, current_database,
 * current_catalog, current_schema, current_groups, current_date, current_timestamp, unix_timestamp without arguments) is to be
 * a constant in the plan. Kernels live in {@code scalar}, the bridge to Hive's classes in {@code hive}.
 */
@NullMarked
package io.skep.engine.function;

import org.jspecify.annotations.NullMarked;
