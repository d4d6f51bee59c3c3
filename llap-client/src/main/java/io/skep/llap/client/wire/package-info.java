/**
 * Messages between servers and daemons as bytes. A message is a list of frames, and a frame is a tag and its fields in
 * a fixed order. Each version has one format. The greeting of a connection carries the version, and processes of
 * different versions do not communicate.
 */
@NullMarked
package io.skep.llap.client.wire;

import org.jspecify.annotations.NullMarked;
