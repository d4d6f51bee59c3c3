@NullMarked
package io.skep.storage.orc;

import org.jspecify.annotations.NullMarked;
