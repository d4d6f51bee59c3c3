@NullMarked
package io.skep.metastore.commit;

import org.jspecify.annotations.NullMarked;
