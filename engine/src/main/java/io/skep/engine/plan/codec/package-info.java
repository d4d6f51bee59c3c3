/**
 * Plans and splits as bytes, in protobuf's wire format. {@code plan.proto} is the interface; the classes here follow it by
 * field number, one for each family of messages.
 */
@NullMarked
package io.skep.engine.plan.codec;

import org.jspecify.annotations.NullMarked;
