/** Which daemons there are: their entries, who makes them and who is told of changes. No ZooKeeper, no placement. */
@NullMarked
package io.skep.llap.client.registry;

import org.jspecify.annotations.NullMarked;
