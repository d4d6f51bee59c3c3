@NullMarked
package io.skep.engine.schedule;

import org.jspecify.annotations.NullMarked;
