/** Writes: INSERT into tables and directories, LOAD, and what CREATE TABLE AS shares with them. */
@NullMarked
package io.skep.ql.insert;

import org.jspecify.annotations.NullMarked;
