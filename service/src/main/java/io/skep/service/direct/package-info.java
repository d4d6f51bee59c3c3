/**
 * The direct scheduler: the server itself dispatches a stage graph's tasks to daemons, all at once and without a
 * cluster's help; and the choice between it and Tez.
 */
@NullMarked
package io.skep.service.direct;

import org.jspecify.annotations.NullMarked;
