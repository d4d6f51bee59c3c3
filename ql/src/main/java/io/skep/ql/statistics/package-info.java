/** Basic and column statistics that writes and ANALYZE record, and queries that are answered from them. */
@NullMarked
package io.skep.ql.statistics;

import org.jspecify.annotations.NullMarked;
