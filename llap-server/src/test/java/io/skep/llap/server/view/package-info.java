@NullMarked
package io.skep.llap.server.view;

import org.jspecify.annotations.NullMarked;
