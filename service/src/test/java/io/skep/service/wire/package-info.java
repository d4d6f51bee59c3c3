@NullMarked
package io.skep.service.wire;

import org.jspecify.annotations.NullMarked;
