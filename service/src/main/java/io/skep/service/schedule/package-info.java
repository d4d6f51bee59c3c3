/**
 * Runs scheduled queries: takes those that are due from the metastore, runs each in a session of its owner, and reports
 * about it. The statements that define them are in {@code io.skep.ql.schedule}.
 */
@NullMarked
package io.skep.service.schedule;

import org.jspecify.annotations.NullMarked;
