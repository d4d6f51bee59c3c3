/**
 * The direct scheduler, and the choice between it and Tez. With the direct scheduler, the server itself dispatches all
 * tasks of a stage graph to daemons at once, without a cluster manager.
 */
@NullMarked
package io.skep.service.direct;

import org.jspecify.annotations.NullMarked;
