/** Daemons in processes of their own, and what may become of them, of the network between them and of their disks. */
@NullMarked
package io.skep.itests.faults;

import org.jspecify.annotations.NullMarked;
