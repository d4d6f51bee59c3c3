/** CREATE and DROP of databases, tables, views, functions and macros; constraints of tables. */
@NullMarked
package io.skep.ql.create;

import org.jspecify.annotations.NullMarked;
