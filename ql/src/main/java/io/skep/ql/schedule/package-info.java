/** Statements about scheduled queries: their schedules, their owners, and the text that is stored of a statement. */
@NullMarked
package io.skep.ql.schedule;

import org.jspecify.annotations.NullMarked;
