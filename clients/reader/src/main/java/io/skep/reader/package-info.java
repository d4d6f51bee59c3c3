/**
 * Reads the rows of queries in programs outside of the server: asks a server for splits, and reads them from daemons or
 * the server. Sends the rows of writes. Servers and daemons use the same messages. Compiled for Java 17, without
 * Hadoop.
 */
@NullMarked
package io.skep.reader;

import org.jspecify.annotations.NullMarked;
