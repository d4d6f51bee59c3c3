/**
 * What mapred's input formats over Skep consist of: settings of a job, splits, rows and their readers. Its classes run
 * in the processes of Hadoop's users, beside the libraries that these have.
 */
@NullMarked
package io.skep.mapred;

import org.jspecify.annotations.NullMarked;
