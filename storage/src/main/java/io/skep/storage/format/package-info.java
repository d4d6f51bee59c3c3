/**
 * What a file format is: its names, how its files are recognized and split, and what reads and writes them. The formats
 * themselves have packages of their own and are listed in {@code io.skep.storage.registry}.
 */
@NullMarked
package io.skep.storage.format;

import org.jspecify.annotations.NullMarked;
