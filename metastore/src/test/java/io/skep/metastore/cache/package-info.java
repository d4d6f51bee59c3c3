@NullMarked
package io.skep.metastore.cache;

import org.jspecify.annotations.NullMarked;
