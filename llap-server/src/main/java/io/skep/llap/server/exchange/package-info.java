/**
 * Rows in transit from task to task, or to the client: by reference in memory within a budget, and on disk beyond it.
 */
@NullMarked
package io.skep.llap.server.exchange;

import org.jspecify.annotations.NullMarked;
