/**
 * Runtime filters: what a join's build side knows of its keys, for the scans that its probe rows come from. Knows vectors and
 * readers' predicates, no operators.
 */
@NullMarked
package io.skep.engine.filter;

import org.jspecify.annotations.NullMarked;
