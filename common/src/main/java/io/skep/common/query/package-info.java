/** What names a query in every process. */
@NullMarked
package io.skep.common.query;

import org.jspecify.annotations.NullMarked;
