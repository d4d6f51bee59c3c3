/**
 * Daemons as an application of YARN: the commands that start, change and stop it, and its application master, which keeps as
 * many daemons running as are wanted. Both talk through files in a folder of the cluster's file system.
 */
@NullMarked
package io.skep.llap.server.yarn;

import org.jspecify.annotations.NullMarked;
