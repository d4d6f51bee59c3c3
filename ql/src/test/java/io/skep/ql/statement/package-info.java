@NullMarked
package io.skep.ql.statement;

import org.jspecify.annotations.NullMarked;
