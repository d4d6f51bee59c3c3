/**
 * Hive's metastore service in a process of its own, on the database of a server: its command, its settings and its
 * start. The catalog of a server does not use this package.
 */
@NullMarked
package io.skep.metastore.service;

import org.jspecify.annotations.NullMarked;
