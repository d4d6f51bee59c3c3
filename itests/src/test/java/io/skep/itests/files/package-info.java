/** Files that other programs wrote, and broken files, read through a whole server. */
@NullMarked
package io.skep.itests.files;

import org.jspecify.annotations.NullMarked;
