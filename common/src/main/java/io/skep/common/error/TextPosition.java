package io.skep.common.error;

import java.io.Serializable;

/** A place in a statement's text. Line and column count from 1, as editors and Hive's messages show them. */
public record TextPosition(int line, int column) implements Serializable {
    @Override
    public String toString() {
        return "line " + line + ":" + column;
    }
}
