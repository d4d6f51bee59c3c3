/**
 * The bridge to Hive's classes: any built-in or user UDF, UDAF and UDTF, its types asked of the class itself, its values
 * converted row by row. Nothing here knows what a function computes.
 */
@NullMarked
package io.skep.engine.function.hive;

import org.jspecify.annotations.NullMarked;
