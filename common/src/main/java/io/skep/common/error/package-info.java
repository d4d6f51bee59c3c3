/** Errors as every module raises and carries them: code, SQLSTATE, kind, position, hint. No rendering for a protocol. */
@NullMarked
package io.skep.common.error;

import org.jspecify.annotations.NullMarked;
