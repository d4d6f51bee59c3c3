/** Errors as all modules throw and pass them on: code, SQLSTATE, kind, position, hint. No rendering for a protocol. */
@NullMarked
package io.skep.common.error;

import org.jspecify.annotations.NullMarked;
