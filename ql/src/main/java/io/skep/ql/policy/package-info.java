/**
 * Row filters and column masks of tables and views: their texts, and where the texts are kept. The analyzer puts them
 * into queries, the optimizer keeps users' expressions away from what they hide.
 */
@NullMarked
package io.skep.ql.policy;

import org.jspecify.annotations.NullMarked;
