@NullMarked
package io.skep.bench;

import org.jspecify.annotations.NullMarked;
