/** A real Hive beside Skep, over the same metastore database and warehouse. Run only when there is one to run. */
@NullMarked
package io.skep.itests.hive;

import org.jspecify.annotations.NullMarked;
