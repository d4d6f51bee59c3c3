@NullMarked
package io.skep.ql.handler;

import org.jspecify.annotations.NullMarked;
