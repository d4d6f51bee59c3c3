/**
 * Queries whose rows programs outside of the server read by themselves: what ql knows of such a query, and the
 * interface of the part that makes splits of it.
 */
@NullMarked
package io.skep.ql.external;

import org.jspecify.annotations.NullMarked;
