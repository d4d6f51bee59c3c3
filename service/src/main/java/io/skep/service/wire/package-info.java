/**
 * HiveServer2's Thrift protocol. This package only translates calls, types, rows and errors. Thrift is not used outside
 * of it.
 */
@NullMarked
package io.skep.service.wire;

import org.jspecify.annotations.NullMarked;
