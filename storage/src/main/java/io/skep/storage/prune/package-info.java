/**
 * Decides by statistics whether rows of a row group may match predicates. The statistics of all formats are converted
 * to one form here.
 */
@NullMarked
package io.skep.storage.prune;

import org.jspecify.annotations.NullMarked;
