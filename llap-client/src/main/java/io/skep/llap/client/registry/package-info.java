/**
 * The registry of daemons: their entries, how they are registered, and the listeners to changes. It does not depend on
 * ZooKeeper or on placement.
 */
@NullMarked
package io.skep.llap.client.registry;

import org.jspecify.annotations.NullMarked;
