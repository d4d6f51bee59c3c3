/**
 * HiveServer2's HTTP transport: connections and requests. The logins are those of {@code io.skep.authentication.http},
 * the calls in the requests those of {@code io.skep.service.wire}.
 */
@NullMarked
package io.skep.service.http;

import org.jspecify.annotations.NullMarked;
