@NullMarked
package io.skep.metastore.privilege;

import org.jspecify.annotations.NullMarked;
