/** HiveQL to stage graphs: the engine's entry for a server. Sessions, statements and results as service sees them. */
@NullMarked
package io.skep.ql;

import org.jspecify.annotations.NullMarked;
