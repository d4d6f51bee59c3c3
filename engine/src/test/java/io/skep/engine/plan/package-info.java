/** Tests of plans. */
@NullMarked
package io.skep.engine.plan;

import org.jspecify.annotations.NullMarked;
