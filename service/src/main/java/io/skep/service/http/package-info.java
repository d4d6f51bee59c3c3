/**
 * HiveServer2's HTTP transport: requests, logins and cookies. Only this package and the web pages know Jetty. The calls
 * in the requests are those of {@code io.skep.service.wire}.
 */
@NullMarked
package io.skep.service.http;

import org.jspecify.annotations.NullMarked;
