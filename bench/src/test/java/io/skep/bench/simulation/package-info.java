@NullMarked
package io.skep.bench.simulation;

import org.jspecify.annotations.NullMarked;
