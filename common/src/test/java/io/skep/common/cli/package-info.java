@NullMarked
package io.skep.common.cli;

import org.jspecify.annotations.NullMarked;
