@NullMarked
package io.skep.service.discovery;

import org.jspecify.annotations.NullMarked;
