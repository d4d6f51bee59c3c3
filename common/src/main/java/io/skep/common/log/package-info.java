/** What a process's log is kept from saying. Nothing here decides what is logged. */
@NullMarked
package io.skep.common.log;

import org.jspecify.annotations.NullMarked;
