/**
 * Settings of a process. A property has a type, a default, bounds and a line of text. Reading reports all errors at
 * once.
 */
@NullMarked
package io.skep.common.config;

import org.jspecify.annotations.NullMarked;
