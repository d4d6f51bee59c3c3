/**
 * Roles, their members, and granted privileges, as Hive's SQL standard authorization keeps them in the metastore's
 * database. What a privilege allows is decided elsewhere. Delegation tokens of clients are in the same database.
 */
@NullMarked
package io.skep.metastore.privilege;

import org.jspecify.annotations.NullMarked;
