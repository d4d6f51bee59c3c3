/** The formats there are, chosen by what the metastore says of a table. */
@NullMarked
package io.skep.storage.registry;

import org.jspecify.annotations.NullMarked;
