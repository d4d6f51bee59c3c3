/**
 * Reads of programs outside of the server: tickets that servers sign and daemons verify, and the errors of the reader.
 * Nothing here plans or runs a query.
 */
@NullMarked
package io.skep.llap.client.external;

import org.jspecify.annotations.NullMarked;
