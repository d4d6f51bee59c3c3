/**
 * SQL types, columnar vectors, error codes, memory accounting, configuration and metrics. Nothing here depends on
 * Hadoop, a file format or a plan.
 */
@NullMarked
package io.skep.common;

import org.jspecify.annotations.NullMarked;
