/** Which daemon reads which split. Pure arithmetic over keys and weights; it knows no plan and talks to nobody. */
@NullMarked
package io.skep.llap.client.placement;

import org.jspecify.annotations.NullMarked;
