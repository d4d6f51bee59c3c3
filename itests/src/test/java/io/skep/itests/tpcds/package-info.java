/** TPC-DS's answers from plain and from changed tables, compared with those of another engine over the same rows. */
@NullMarked
package io.skep.itests.tpcds;

import org.jspecify.annotations.NullMarked;
