package io.skep.common.error;

import java.io.Serializable;

/** A place in a statement's text. Lines count from 1 and columns from 0, as in Hive's messages. */
public record TextPosition(int line, int column) implements Serializable {
    @Override
    public String toString() {
        return line + ":" + column;
    }
}
