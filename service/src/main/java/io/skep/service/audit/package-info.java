/**
 * The audit log: who has asked for what, from where, as whom, and whether it was allowed. Everything that clients do
 * through any transport is recorded here before it begins. Nothing is decided here.
 */
@NullMarked
package io.skep.service.audit;

import org.jspecify.annotations.NullMarked;
