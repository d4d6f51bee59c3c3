/**
 * Deciding by statistics whether rows of a row group may match predicates; what formats keep is brought into one form
 * here.
 */
@NullMarked
package io.skep.storage.prune;

import org.jspecify.annotations.NullMarked;
