@NullMarked
package io.skep.storage.prune;

import org.jspecify.annotations.NullMarked;
