/**
 * Functions: the catalog with names and types for the analyzer, and the registry that provides evaluators for plan
 * names.
 *
 * <p>Plan names are Hive's names ({@code +}, {@code index} for {@code []}, {@code negative}, {@code concat}), and
 *
 * <ul>
 * <li>{@code $field}: a struct or an array of structs, and a field's index as an int constant;
 * <li>{@code is_distinct_from}: the negation of {@code <=>};
 * <li>{@code name@class}: a user's function, whose class is in the plan's resources;
 * <li>{@code aggregate(1=0.5)}: an aggregate with constant arguments that its class needs in advance.
 * </ul>
 *
 * <p>{@code coalesce}, {@code nvl}, {@code if}, {@code when}, {@code and} and {@code or} are evaluated row by row as needed, by
 * the expression compiler. What depends on the session and not on rows (current_user, logged_in_user, current_database,
 * current_catalog, current_schema, current_groups, current_date, current_timestamp, unix_timestamp without arguments) is to be
 * a constant in the plan.
 *
 * <p>{@link io.skep.engine.function.BuiltInFunctions} finds the entry of a function by its name. An entry says all that is known
 * about a function, and stands in the file of its kernel: scalar ones in {@code scalar}, aggregate and window ones in
 * {@code io.skep.engine.aggregate}. Functions of Hive without an entry run as Hive's classes, over the bridge in {@code hive}.
 * docs/how-to/add-a-function.md has the steps.
 */
@NullMarked
package io.skep.engine.function;

import org.jspecify.annotations.NullMarked;
