/** Read-only views of servers and daemons, with pages and JSON for them. The owner of the data implements the views. */
@NullMarked
package io.skep.webui;

import org.jspecify.annotations.NullMarked;
