/** Files of any of Hive's SerDes, row by row through the classes that the table names. */
@NullMarked
package io.skep.storage.serde;

import org.jspecify.annotations.NullMarked;
