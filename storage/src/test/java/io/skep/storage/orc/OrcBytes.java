package io.skep.storage.orc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.orc.OrcProto;
import org.apache.orc.OrcProto.Stream.Kind;

/** A plain ORC file of one stripe, split into its parts so that a test can change and reassemble them. */
final class OrcBytes {
    private final byte[] data;
    private final byte[] metadata;
    final OrcProto.StripeFooter.Builder stripeFooter;
    final OrcProto.Footer.Builder footer;
    private final OrcProto.PostScript postScript;

    OrcBytes(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        int end = whole.length - 1 - (whole[whole.length - 1] & 0xFF);
        postScript = OrcProto.PostScript.parseFrom(Arrays.copyOfRange(whole, end, whole.length - 1));
        int footerAt = end - (int) postScript.getFooterLength();
        footer = OrcProto.Footer.parseFrom(Arrays.copyOfRange(whole, footerAt, end)).toBuilder();
        OrcProto.StripeInformation stripe = footer.getStripes(0);
        int stripeFooterAt = (int) (stripe.getOffset() + stripe.getIndexLength() + stripe.getDataLength());
        int stripeEnd = stripeFooterAt + (int) stripe.getFooterLength();
        data = Arrays.copyOf(whole, stripeFooterAt);
        stripeFooter =
                OrcProto.StripeFooter.parseFrom(Arrays.copyOfRange(whole, stripeFooterAt, stripeEnd)).toBuilder();
        metadata = Arrays.copyOfRange(whole, stripeEnd, footerAt);
    }

    /** Overwrites the beginning of a stream, which must have at least as many bytes. */
    void overwrite(int column, Kind kind, int... bytes) {
        long at = footer.getStripes(0).getOffset();
        for (OrcProto.Stream stream : stripeFooter.getStreamsList()) {
            if (stream.getColumn() == column && stream.getKind() == kind) {
                if (stream.getLength() < bytes.length) {
                    throw new IllegalArgumentException(stream + " is too short");
                }
                for (int i = 0; i < bytes.length; i++) {
                    data[(int) at + i] = (byte) bytes[i];
                }
                return;
            }
            at += stream.getLength();
        }
        throw new IllegalArgumentException("no " + kind + " of column " + column + " in " + stripeFooter);
    }

    void write(Path file) throws IOException {
        byte[] changed = stripeFooter.build().toByteArray();
        footer.getStripesBuilder(0).setFooterLength(changed.length);
        byte[] tail = footer.build().toByteArray();
        byte[] script =
                postScript.toBuilder().setFooterLength(tail.length).build().toByteArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(data);
        out.write(changed);
        out.write(metadata);
        out.write(tail);
        out.write(script);
        out.write(script.length);
        Files.write(file, out.toByteArray());
    }
}
