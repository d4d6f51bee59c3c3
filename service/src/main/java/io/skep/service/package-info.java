/**
 * HiveServer2: sessions, operations and schedulers, and the wiring of a server process; Thrift stays in the wire
 * package below.
 */
@NullMarked
package io.skep.service;

import org.jspecify.annotations.NullMarked;
