/** Clients' sessions and their operations, independent of the protocol: states, logs, result paging, cancellation. */
@NullMarked
package io.skep.service.session;

import org.jspecify.annotations.NullMarked;
