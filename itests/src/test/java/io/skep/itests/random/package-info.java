/**
 * Random queries over random tables, and the oracles that judge their results without knowing them. What finds its place in a
 * SQL file belongs there.
 */
@org.jspecify.annotations.NullMarked
package io.skep.itests.random;
