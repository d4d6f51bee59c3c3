/** Tests of the whole: architecture, released clients, SQL. */
@NullMarked
package io.skep.itests;

import org.jspecify.annotations.NullMarked;
