/**
 * Tests of a whole server, in the test's process with free ports and its own folder, and of behavior that only a whole
 * server shows.
 */
@NullMarked
package io.skep.itests.server;

import org.jspecify.annotations.NullMarked;
