/**
 * The interfaces to file systems and file formats. Each file format has its own package below this one. No other module
 * refers to a format library.
 */
@NullMarked
package io.skep.storage;

import org.jspecify.annotations.NullMarked;
