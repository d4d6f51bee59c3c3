/**
 * Random queries over random tables, and oracles that judge results without knowing the expected ones. A query that
 * fits into a SQL file belongs there.
 */
@org.jspecify.annotations.NullMarked
package io.skep.itests.random;
