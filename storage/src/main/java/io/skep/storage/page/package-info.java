/**
 * Page sources: rows of splits in the columns that a scan asked for, whatever the files hold. Formats and caches stand
 * behind column chunk sources.
 */
@NullMarked
package io.skep.storage.page;

import org.jspecify.annotations.NullMarked;
