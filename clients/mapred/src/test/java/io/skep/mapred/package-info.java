@NullMarked
package io.skep.mapred;

import org.jspecify.annotations.NullMarked;
