package io.skep.ql.compiler;

import io.skep.ql.statement.StatementHandler;

/** A kind of statement: what compiles it, and what it needs. There is no statement without a declaration of needs. */
record StatementKind(StatementHandler handler, AccessRule needs) {}
