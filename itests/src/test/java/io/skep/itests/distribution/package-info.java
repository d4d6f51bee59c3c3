/** The distribution that {@code bin/skep package} makes. */
@NullMarked
package io.skep.itests.distribution;

import org.jspecify.annotations.NullMarked;
