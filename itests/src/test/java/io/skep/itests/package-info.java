/** Tests of the whole product: architecture, released clients and SQL. */
@NullMarked
package io.skep.itests;

import org.jspecify.annotations.NullMarked;
