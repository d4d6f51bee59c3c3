@NullMarked
package io.skep.metastore.service;

import org.jspecify.annotations.NullMarked;
