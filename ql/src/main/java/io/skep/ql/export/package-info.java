/** EXPORT and IMPORT: tables as folders with their definition, which other metastores take. */
@NullMarked
package io.skep.ql.export;

import org.jspecify.annotations.NullMarked;
