/** Application masters and sessions, in the server's process or in YARN, and the pool of warm ones. */
@NullMarked
package io.skep.tez.session;

import org.jspecify.annotations.NullMarked;
