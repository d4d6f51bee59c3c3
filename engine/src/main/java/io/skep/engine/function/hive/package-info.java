/**
 * The bridge to Hive's classes. It runs any built-in or user UDF, UDAF or UDTF, whose types the class itself
 * determines, and converts values row by row. The code does not depend on what a function computes.
 */
@NullMarked
package io.skep.engine.function.hive;

import org.jspecify.annotations.NullMarked;
