@NullMarked
package io.skep.tez;

import org.jspecify.annotations.NullMarked;
