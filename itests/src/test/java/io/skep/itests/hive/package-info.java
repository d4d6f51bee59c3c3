/**
 * Tests with a real Hive and Skep over the same metastore database and warehouse. They run only where a Hive is
 * installed.
 */
@NullMarked
package io.skep.itests.hive;

import org.jspecify.annotations.NullMarked;
