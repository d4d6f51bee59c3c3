/** What is tested on a server's own daemon elsewhere, on daemons in processes of their own. */
@NullMarked
package io.skep.itests.daemons;

import org.jspecify.annotations.NullMarked;
