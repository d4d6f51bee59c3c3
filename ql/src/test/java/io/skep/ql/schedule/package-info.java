/** Tests of statements about scheduled queries. */
@NullMarked
package io.skep.ql.schedule;

import org.jspecify.annotations.NullMarked;
