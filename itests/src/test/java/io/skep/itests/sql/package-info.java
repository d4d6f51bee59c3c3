/** Runs the SQL tests of itests/src/test/sql in every mode of execution. */
@NullMarked
package io.skep.itests.sql;

import org.jspecify.annotations.NullMarked;
