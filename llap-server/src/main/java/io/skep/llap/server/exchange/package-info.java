/** Rows on their way from task to task, or to the client: by reference in memory within a budget, beyond it on disk. */
@NullMarked
package io.skep.llap.server.exchange;

import org.jspecify.annotations.NullMarked;
