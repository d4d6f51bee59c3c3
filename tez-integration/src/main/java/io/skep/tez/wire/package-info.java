/**
 * What servers, application masters and containers send each other through Tez: payloads, addresses of outputs, reports
 * of tasks, names.
 */
@NullMarked
package io.skep.tez.wire;

import org.jspecify.annotations.NullMarked;
