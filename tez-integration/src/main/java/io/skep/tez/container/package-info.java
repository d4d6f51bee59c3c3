/**
 * What runs in a Tez container: the processor of a fragment, its inputs and outputs, and the shuffle service's files.
 */
@NullMarked
package io.skep.tez.container;

import org.jspecify.annotations.NullMarked;
