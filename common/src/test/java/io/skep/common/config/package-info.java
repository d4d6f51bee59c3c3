@NullMarked
package io.skep.common.config;

import org.jspecify.annotations.NullMarked;
