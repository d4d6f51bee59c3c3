/**
 * HiveServer2: sessions, operations, schedulers, and the wiring of a server process. Thrift is used only in the wire
 * package below.
 */
@NullMarked
package io.skep.service;

import org.jspecify.annotations.NullMarked;
