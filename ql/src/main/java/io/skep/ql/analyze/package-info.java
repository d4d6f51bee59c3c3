/**
 * Resolves names and types of queries and expressions by Hive's rules and turns syntax trees into algebra. Statements
 * that are not queries are handled elsewhere. This package does not optimize.
 */
@NullMarked
package io.skep.ql.analyze;

import org.jspecify.annotations.NullMarked;
