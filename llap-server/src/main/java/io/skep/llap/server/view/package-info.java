/** A daemon's metrics as the web pages show them. */
@NullMarked
package io.skep.llap.server.view;

import org.jspecify.annotations.NullMarked;
