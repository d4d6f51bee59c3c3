/**
 * ZooKeeper, behind which daemons and servers find each other: the client with Hive's settings, nodes that a process keeps while
 * it lives, the registry of daemons. Curator does not leave this package.
 */
@NullMarked
package io.skep.llap.client.zookeeper;

import org.jspecify.annotations.NullMarked;
