/**
 * Spark's data source and catalog over a Skep server: what Spark asks for becomes the text of a query, whose rows
 * Spark's tasks read as Arrow from the daemons. Nothing here decides what a user may see; the server does.
 */
@NullMarked
package io.skep.spark;

import org.jspecify.annotations.NullMarked;
