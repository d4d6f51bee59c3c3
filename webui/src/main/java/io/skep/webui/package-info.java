/** Read-only views of servers and daemons, and the pages and JSON over them. Whoever is shown fills the views. */
@NullMarked
package io.skep.webui;

import org.jspecify.annotations.NullMarked;
