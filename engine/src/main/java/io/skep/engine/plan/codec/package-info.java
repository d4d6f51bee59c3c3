/**
 * Plans, splits and reports about columns as bytes. {@code src/main/proto/io/skep/plan/plan.proto} defines the
 * messages, and the build generates {@code PlanProto} from it. The codecs convert records to these messages and back,
 * one class for each family of messages. No other package of the engine sees protobuf's types.
 */
@NullMarked
package io.skep.engine.plan.codec;

import org.jspecify.annotations.NullMarked;
