@NullMarked
package io.skep.metastore.system;

import org.jspecify.annotations.NullMarked;
