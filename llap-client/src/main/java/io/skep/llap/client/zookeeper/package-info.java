/**
 * ZooKeeper, through which daemons and servers find each other: the client with Hive's settings, nodes that a process
 * keeps while it lives, and the registry of daemons. Curator is used only in this package.
 */
@NullMarked
package io.skep.llap.client.zookeeper;

import org.jspecify.annotations.NullMarked;
