@NullMarked
package io.skep.storage.serde;

import org.jspecify.annotations.NullMarked;
