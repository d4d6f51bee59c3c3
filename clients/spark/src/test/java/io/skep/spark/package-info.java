@NullMarked
package io.skep.spark;

import org.jspecify.annotations.NullMarked;
