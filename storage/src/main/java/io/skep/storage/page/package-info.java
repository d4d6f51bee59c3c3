/**
 * Page sources, which return rows of splits in the columns of the scan, regardless of the files' own columns. Formats
 * and caches are accessed through column chunk sources.
 */
@NullMarked
package io.skep.storage.page;

import org.jspecify.annotations.NullMarked;
