/** How clients prove who they are: the modes of {@code hive.server2.authentication}, for both transports. */
@NullMarked
package io.skep.service.authentication;

import org.jspecify.annotations.NullMarked;
