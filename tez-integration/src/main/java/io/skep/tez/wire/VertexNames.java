package io.skep.tez.wire;

/** Names of a DAG's vertices: one for each fragment. */
public final class VertexNames {
    private static final String PREFIX = "Fragment ";

    private VertexNames() {}

    /** The name of the vertex that runs a fragment. */
    public static String of(int fragment) {
        return PREFIX + fragment;
    }

    /** The fragment that a vertex runs. */
    public static int fragment(String vertexName) {
        return Integer.parseInt(vertexName.substring(PREFIX.length()));
    }
}
