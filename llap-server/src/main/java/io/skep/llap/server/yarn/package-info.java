/**
 * Runs daemons as a YARN application. It contains the commands that start, change and stop the application, and its
 * application master, which keeps the desired number of daemons running. Both communicate through files in a folder of
 * the cluster's file system.
 */
@NullMarked
package io.skep.llap.server.yarn;

import org.jspecify.annotations.NullMarked;
