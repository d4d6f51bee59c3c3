/** A whole server in the test's process, on free ports and a folder of its own, and what only a whole server shows. */
@NullMarked
package io.skep.itests.server;

import org.jspecify.annotations.NullMarked;
