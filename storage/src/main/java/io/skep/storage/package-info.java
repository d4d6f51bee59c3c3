/**
 * The file-system and format seams; each file format has a package of its own below this one, and no other module names
 * a format library.
 */
@NullMarked
package io.skep.storage;

import org.jspecify.annotations.NullMarked;
