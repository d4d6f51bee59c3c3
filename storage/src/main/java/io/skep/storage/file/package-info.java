/**
 * The file system interface: files and folders by URI. It is implemented over Hadoop's file systems. Only packages of
 * formats whose libraries need Hadoop's classes access these directly.
 */
@NullMarked
package io.skep.storage.file;

import org.jspecify.annotations.NullMarked;
