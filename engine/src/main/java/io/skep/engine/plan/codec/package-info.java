/**
 * Plans and splits as bytes, in protobuf's wire format. {@code plan.proto} defines the interface. The classes in this
 * package follow it by field number, one class for each family of messages.
 */
@NullMarked
package io.skep.engine.plan.codec;

import org.jspecify.annotations.NullMarked;
