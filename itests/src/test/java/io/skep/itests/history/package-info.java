/**
 * Histories of writes and reads by many clients, and checkers that judge them: what a table may show after which acknowledgement.
 * Nothing here starts a server.
 */
@NullMarked
package io.skep.itests.history;

import org.jspecify.annotations.NullMarked;
