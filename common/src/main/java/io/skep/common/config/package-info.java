/** Settings of a process: properties with type, default, bounds and a line of text; reading reports all problems at once. */
@NullMarked
package io.skep.common.config;

import org.jspecify.annotations.NullMarked;
