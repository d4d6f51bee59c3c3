@NullMarked
package io.skep.common.concurrent;

import org.jspecify.annotations.NullMarked;
