/**
 * Runtime filters: the values that a join's keys have on its build side, for the scans that produce its probe rows.
 * This package depends on vectors and readers' predicates, but on no operators.
 */
@NullMarked
package io.skep.engine.filter;

import org.jspecify.annotations.NullMarked;
