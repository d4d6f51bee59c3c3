/** What all processes share about a query: its name, and where its time went. */
@NullMarked
package io.skep.common.query;

import org.jspecify.annotations.NullMarked;
