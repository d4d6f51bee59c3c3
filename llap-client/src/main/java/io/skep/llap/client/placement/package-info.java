/**
 * Chooses the daemon that reads each split. This is pure arithmetic over keys and weights. It depends on no plan and
 * communicates with no daemon.
 */
@NullMarked
package io.skep.llap.client.placement;

import org.jspecify.annotations.NullMarked;
