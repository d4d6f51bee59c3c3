@NullMarked
package io.skep.storage.acid;

import org.jspecify.annotations.NullMarked;
