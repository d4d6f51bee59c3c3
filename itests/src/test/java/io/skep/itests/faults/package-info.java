/** Daemons in their own processes, and faults of these daemons, of the network between them and of their disks. */
@NullMarked
package io.skep.itests.faults;

import org.jspecify.annotations.NullMarked;
