/**
 * HiveServer2's Thrift protocol: translation of calls, types, rows and errors, and nothing else. Thrift stays in here.
 */
@NullMarked
package io.skep.service.wire;

import org.jspecify.annotations.NullMarked;
