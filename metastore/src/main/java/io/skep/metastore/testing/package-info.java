/** Test support for this and other modules: a real catalog in a temporary folder. Not used by a server. */
@NullMarked
package io.skep.metastore.testing;

import org.jspecify.annotations.NullMarked;
