@NullMarked
package io.skep.metastore;

import org.jspecify.annotations.NullMarked;
