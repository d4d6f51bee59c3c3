/** The supported formats, selected by the metastore's description of a table. */
@NullMarked
package io.skep.storage.registry;

import org.jspecify.annotations.NullMarked;
