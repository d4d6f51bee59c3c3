/** A daemon's figures as pages show them. */
@NullMarked
package io.skep.llap.server.view;

import org.jspecify.annotations.NullMarked;
