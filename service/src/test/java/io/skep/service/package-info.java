@NullMarked
package io.skep.service;

import org.jspecify.annotations.NullMarked;
