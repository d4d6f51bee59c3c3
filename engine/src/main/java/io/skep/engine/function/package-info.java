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
 * <p>The expression compiler evaluates {@code coalesce}, {@code nvl}, {@code if}, {@code when}, {@code and} and
 * {@code or} only for the rows that need them. Functions that depend on the session and not on rows must be constants
 * in the plan: current_user, logged_in_user, current_database, current_catalog, current_schema, current_groups,
 * current_date, current_timestamp, and unix_timestamp without arguments.
 *
 * <p>{@link io.skep.engine.function.BuiltInFunctions} finds the entry of a function by its name. The entry contains all
 * facts about the function. It is in the file of the kernel: for scalar functions in {@code scalar}, for aggregate and
 * window functions in {@code io.skep.engine.aggregate}. Functions of Hive without an entry run as Hive's classes, over
 * the bridge in {@code hive}. docs/how-to/add-a-function.md describes the steps.
 */
@NullMarked
package io.skep.engine.function;

import org.jspecify.annotations.NullMarked;
