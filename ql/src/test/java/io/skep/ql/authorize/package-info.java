@NullMarked
package io.skep.ql.authorize;

import org.jspecify.annotations.NullMarked;
