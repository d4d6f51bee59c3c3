/** How clients find this server: its entry in ZooKeeper, as Hive's driver reads it. No protocol, no sessions. */
@NullMarked
package io.skep.service.discovery;

import org.jspecify.annotations.NullMarked;
