@NullMarked
package io.skep.metastore.local;

import org.jspecify.annotations.NullMarked;
