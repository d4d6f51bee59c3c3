@NullMarked
package io.skep.common.log;

import org.jspecify.annotations.NullMarked;
