/**
 * The files of audit logs, of servers and of daemons: whole lines, which are written before what they are about begins.
 */
@NullMarked
package io.skep.llap.client.audit;

import org.jspecify.annotations.NullMarked;
