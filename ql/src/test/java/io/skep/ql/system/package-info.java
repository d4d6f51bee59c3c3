/** Tests of system tables through whole statements. */
@NullMarked
package io.skep.ql.system;

import org.jspecify.annotations.NullMarked;
