/** Released clients as users run them, isolated from the server's class path. */
@NullMarked
package io.skep.itests.client;

import org.jspecify.annotations.NullMarked;
