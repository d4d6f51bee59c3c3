/** How command lines are read: declared with picocli, with the same help, errors and exit statuses everywhere. */
@NullMarked
package io.skep.common.cli;

import org.jspecify.annotations.NullMarked;
