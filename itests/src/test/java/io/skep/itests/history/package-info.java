/**
 * Histories of writes and reads by many clients, and checkers that judge what a table may show after which
 * acknowledgement. No class of this package starts a server.
 */
@NullMarked
package io.skep.itests.history;

import org.jspecify.annotations.NullMarked;
