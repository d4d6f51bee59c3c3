/** Files of any of Hive's SerDes, read and written row by row through the classes that the table names. */
@NullMarked
package io.skep.storage.serde;

import org.jspecify.annotations.NullMarked;
