@NullMarked
package io.skep.common.time;

import org.jspecify.annotations.NullMarked;
