/** Clients' sessions and their operations, whatever the protocol: states, logs, paging of results, cancellation. */
@NullMarked
package io.skep.service.session;

import org.jspecify.annotations.NullMarked;
