/**
 * Converts vectors to the objects that Hive's classes use, and back. The SerDe bridge and the bridge to Hive's
 * functions share this package.
 */
@NullMarked
package io.skep.storage.serde.value;

import org.jspecify.annotations.NullMarked;
