/**
 * Vectors as the objects that Hive's classes work on, and back; shared by the SerDe bridge and the bridge to Hive's
 * functions.
 */
@NullMarked
package io.skep.storage.serde.value;

import org.jspecify.annotations.NullMarked;
