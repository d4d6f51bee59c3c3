/**
 * Messages between servers and daemons as bytes. {@code src/main/proto/io/skep/llap/daemon.proto} defines them, and the
 * build generates {@code DaemonProto} from it. {@link PageFrameCodec} defines messages with pages. Generated classes
 * stay here; other packages see records. A message is a list of frames. The greeting of a connection carries the
 * version, and processes of different versions do not communicate.
 */
@NullMarked
package io.skep.llap.client.wire;

import org.jspecify.annotations.NullMarked;
