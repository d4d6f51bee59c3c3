package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * LIKE with a constant pattern. The pattern is split at each {@code %}. The text must begin with the first piece and
 * end with the last, and the pieces between must follow in order. A piece consists of bytes, and of {@code _} for one
 * character.
 */
final class LikeFunction implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "like"),
            ScalarTypes.when(ScalarTypes.strings(2, 2), PrimitiveType.BOOLEAN).withEach(ScalarTypes::unbounded),
            LikeFunction::kernel);

    private static final byte[] NO_ONES = {};

    /** @param ones 1 at each position where any character matches; empty if there is no such position */
    private record Piece(byte[] bytes, byte[] ones) {}

    private final List<Piece> pieces;

    LikeFunction(byte[] pattern) {
        this.pieces = pieces(pattern);
    }

    private static Optional<ScalarFunction> kernel(ScalarCall call) {
        if (call.types().size() != 2 || call.first() != PrimitiveType.STRING) {
            return Optional.empty();
        }
        if (call.constants().get(1).isPresent() && call.constants().get(1).get() instanceof Datum.OfBytes constant) {
            return Optional.of(new LikeFunction(constant.value()));
        }
        return call.allAre(PrimitiveType.STRING) ? Optional.of(new VaryingLikeFunction()) : Optional.empty();
    }

    private static List<Piece> pieces(byte[] pattern) {
        List<Piece> pieces = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ByteArrayOutputStream ones = new ByteArrayOutputStream();
        boolean any = false;
        for (int i = 0; i < pattern.length; i++) {
            byte c = pattern[i];
            boolean escaped = c == '\\' && i + 1 < pattern.length && (pattern[i + 1] == '_' || pattern[i + 1] == '%');
            if (c == '%') {
                pieces.add(new Piece(bytes.toByteArray(), any ? ones.toByteArray() : NO_ONES));
                bytes.reset();
                ones.reset();
                any = false;
            } else {
                boolean one = c == '_';
                any |= one;
                bytes.write(escaped ? pattern[++i] : c);
                ones.write(one ? 1 : 0);
            }
        }
        pieces.add(new Piece(bytes.toByteArray(), any ? ones.toByteArray() : NO_ONES));
        return pieces;
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector text = (BytesVector) arguments[0];
        long[] truths = new long[rows];
        for (int i = 0; i < rows; i++) {
            int start = text.offsets()[i];
            truths[i] = matches(text.data(), start, start + text.lengths()[i]) ? 1 : 0;
        }
        return new LongVector(truths, text.nulls(), rows);
    }

    boolean matches(byte[] data, int start, int end) {
        int at = match(pieces.getFirst(), data, start, end);
        if (at < 0 || pieces.size() == 1) {
            return at == end;
        }
        for (int i = 1; i < pieces.size() - 1; i++) {
            at = find(pieces.get(i), data, at, end);
            if (at < 0) {
                return false;
            }
        }
        return endsWith(pieces.getLast(), data, at, end);
    }

    /** Returns the end of the piece if it matches at {@code start}, otherwise a negative number. */
    private static int match(Piece piece, byte[] data, int start, int end) {
        byte[] wanted = piece.bytes();
        if (piece.ones().length == 0) {
            int stop = start + wanted.length;
            return stop <= end && Arrays.equals(wanted, 0, wanted.length, data, start, stop) ? stop : -1;
        }
        int at = start;
        for (int i = 0; i < wanted.length; i++) {
            if (at >= end) {
                return -1;
            }
            if (piece.ones()[i] == 1) {
                at = Utf8.skip(data, at, end, 1);
            } else if (data[at++] != wanted[i]) {
                return -1;
            }
        }
        return at;
    }

    /** Returns the end of the first occurrence. */
    private static int find(Piece piece, byte[] data, int start, int end) {
        byte[] wanted = piece.bytes();
        if (wanted.length == 0) {
            return start;
        }
        if (piece.ones().length == 0) {
            int found = Bytes.indexOf(data, start, end, wanted);
            return found < 0 ? -1 : found + wanted.length;
        }
        for (int from = start; from < end; from = Utf8.skip(data, from, end, 1)) {
            int stop = match(piece, data, from, end);
            if (stop >= 0) {
                return stop;
            }
        }
        return -1;
    }

    private static boolean endsWith(Piece piece, byte[] data, int start, int end) {
        if (piece.ones().length == 0) {
            int from = end - piece.bytes().length;
            return from >= start && match(piece, data, from, end) == end;
        }
        for (int from = start; from < end; from = Utf8.skip(data, from, end, 1)) {
            if (match(piece, data, from, end) == end) {
                return true;
            }
        }
        return false;
    }
}
