/**
 * The file-system seam: files and folders by URI. Hadoop's file systems stand behind it; only packages of formats whose
 * libraries ask for Hadoop's class see it.
 */
@NullMarked
package io.skep.storage.file;

import org.jspecify.annotations.NullMarked;
