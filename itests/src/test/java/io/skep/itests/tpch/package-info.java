/** TPC-H's answers, compared with those of another engine over the same rows. */
@NullMarked
package io.skep.itests.tpch;

import org.jspecify.annotations.NullMarked;
