/** Released clients as a user has them, kept apart from the server's class path. */
@NullMarked
package io.skep.itests.client;

import org.jspecify.annotations.NullMarked;
