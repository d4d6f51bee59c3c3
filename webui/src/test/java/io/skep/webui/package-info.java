@NullMarked
package io.skep.webui;

import org.jspecify.annotations.NullMarked;
