/**
 * What runs tasks in the process of a container, as those see it who are given the container. No process of ours is started with it, so it
 * is found as a service of the class path.
 */
@NullMarked
package io.skep.llap.client.container;

import org.jspecify.annotations.NullMarked;
