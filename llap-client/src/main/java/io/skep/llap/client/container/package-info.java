/**
 * The daemon that runs tasks inside a container's process, as the code in the container sees it. Skep starts no process
 * of its own there, so the daemon is found as a service on the class path.
 */
@NullMarked
package io.skep.llap.client.container;

import org.jspecify.annotations.NullMarked;
