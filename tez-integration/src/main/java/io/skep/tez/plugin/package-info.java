/** Plug-ins of an application master that run a vertex's tasks on LLAP daemons: scheduler, launcher, communicator. */
@NullMarked
package io.skep.tez.plugin;

import org.jspecify.annotations.NullMarked;
