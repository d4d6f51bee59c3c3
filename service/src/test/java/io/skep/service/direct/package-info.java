@NullMarked
package io.skep.service.direct;

import org.jspecify.annotations.NullMarked;
