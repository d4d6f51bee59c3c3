/** Tests of the ways in which clients prove who they are. */
@NullMarked
package io.skep.service.authentication;

import org.jspecify.annotations.NullMarked;
