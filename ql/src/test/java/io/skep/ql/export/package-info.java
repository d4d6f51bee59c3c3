/** Tests of EXPORT and IMPORT. */
@NullMarked
package io.skep.ql.export;

import org.jspecify.annotations.NullMarked;
