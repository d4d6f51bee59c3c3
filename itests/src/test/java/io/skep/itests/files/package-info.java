/** Files that others wrote, and files that are broken, read through a whole server. */
@NullMarked
package io.skep.itests.files;

import org.jspecify.annotations.NullMarked;
