/**
 * Compactions of transactional tables as a service of the server: who looks for tables that need one, the workers that
 * carry them out, and the cleaner that deletes what they have replaced.
 */
@NullMarked
package io.skep.ql.compaction;

import org.jspecify.annotations.NullMarked;
