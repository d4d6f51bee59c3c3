/**
 * Compiles HiveQL to stage graphs. The engine's entry point for a server: sessions, statements and results as the
 * service module uses them.
 */
@NullMarked
package io.skep.ql;

import org.jspecify.annotations.NullMarked;
