/**
 * Queries whose rows programs outside of the server read by themselves, and temporary tables that they write: what ql
 * knows of these, and the interfaces of the parts that make splits and take rows.
 */
@NullMarked
package io.skep.ql.external;

import org.jspecify.annotations.NullMarked;
