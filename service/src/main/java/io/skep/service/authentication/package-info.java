/**
 * How clients prove who they are: by {@code io.skep.authentication}, as users of daemons do, or by delegation tokens.
 * Decides as whom they may act.
 */
@NullMarked
package io.skep.service.authentication;

import org.jspecify.annotations.NullMarked;
