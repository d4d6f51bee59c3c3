@NullMarked
package io.skep.metastore.hive;

import org.jspecify.annotations.NullMarked;
