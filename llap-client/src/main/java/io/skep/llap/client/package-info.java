/**
 * What servers and daemons say to each other. Plans and splits travel as bytes, or as they are within a process, result pages as
 * batches, so that neither side's classes are needed here.
 */
@NullMarked
package io.skep.llap.client;

import org.jspecify.annotations.NullMarked;
