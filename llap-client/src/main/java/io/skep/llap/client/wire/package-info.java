/**
 * Messages between servers and daemons as bytes: a message is a list of frames, a frame a tag and its fields in a fixed order. There
 * is one format a version; the greeting of a connection says which, and processes of two versions do not talk to each other.
 */
@NullMarked
package io.skep.llap.client.wire;

import org.jspecify.annotations.NullMarked;
