/**
 * How users prove to servers and daemons who they are: the modes of {@code hive.server2.authentication}. What belongs
 * to one transport is not here, nor are delegation tokens, which need the metastore.
 */
@NullMarked
package io.skep.authentication;

import org.jspecify.annotations.NullMarked;
