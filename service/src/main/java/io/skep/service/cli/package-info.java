/** The commands of {@code bin/skep} as one tree, for help, errors and completion. What runs them is elsewhere. */
@NullMarked
package io.skep.service.cli;

import org.jspecify.annotations.NullMarked;
