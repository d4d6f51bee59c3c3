/** Read-only views of a process, and the pages and JSON APIs over them; nothing here changes state. */
@NullMarked
package io.skep.webui;

import org.jspecify.annotations.NullMarked;
